import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

type Cut = 'before' | 'after' | 'unanswered';

/** A proxy to a server. Tests can interrupt its connections. */
export interface CuttingProxy {
  readonly port: number;
  /**
   * Interrupts the connection on which `text` is sent next. `when` selects the moment: before the
   * server gets the text, or before its response arrives. `unanswered` only withholds the response.
   */
  cutAt(text: string, when: Cut): void;
  /** Interrupts all connections and refuses further ones. */
  close(): Promise<void>;
}

/**
 * Starts a proxy that listens on loopback and forwards to `port`. `change` modifies the responses.
 */
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
    let activeCut: Cut | undefined;
    client.on('data', (bytes) => {
      if (cut && bytes.includes(cut.text)) {
        activeCut = cut.when;
        if (cut.when === 'before') client.destroy();
        else upstream.write(bytes);
        cut = undefined;
        return;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (activeCut === undefined) client.write(change(bytes));
      else if (activeCut !== 'unanswered') client.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cutAt(text, when) {
      cut = { text, when };
    },
    async close() {
      if (!server.listening) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
