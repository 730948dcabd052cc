import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts the connection on which this text is sent next: before the server gets it, or before its answer comes back. */
  cutAt(text: string, when: 'before' | 'after'): void;
  close(): Promise<void>;
}

/** Listens on loopback and passes on what comes to `port`, its answers as `change` makes them. */
export async function makeProxy(
  port: number,
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cut: { text: string; when: 'before' | 'after' } | undefined;
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
    let isCut = false;
    client.on('data', (bytes) => {
      if (cut && bytes.includes(cut.text)) {
        isCut = true;
        if (cut.when === 'before') client.destroy();
        else upstream.write(bytes);
        cut = undefined;
        return;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isCut) client.destroy();
      else client.write(change(bytes));
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
