import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

type Cut = 'before' | 'after' | 'unanswered';

/** A proxy to a server whose connections can be cut. */
export interface CuttingProxy {
  readonly port: number;
  /**
   * Cuts the connection on which this text is sent next, before the server gets it or before its
   * response arrives. `unanswered` holds back the response.
   */
  cutAt(text: string, when: Cut): void;
  close(): Promise<void>;
}

/** Listens on loopback and forwards to `port`; `change` modifies the responses. */
export async function makeProxy(
  port: number,
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cut: { text: string; when: Cut } | undefined;
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    let isCut: Cut | undefined;
    client.on('data', (bytes) => {
      if (cut && bytes.includes(cut.text)) {
        isCut = cut.when;
        if (cut.when === 'before') client.destroy();
        else upstream.write(bytes);
        cut = undefined;
        return;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isCut === undefined) client.write(change(bytes));
      else if (isCut !== 'unanswered') client.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cutAt(text, when) {
      cut = { text, when };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
