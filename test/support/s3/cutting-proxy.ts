import { once } from 'node:events';
import * as net from 'node:net';

/** A way to a server on loopback that breaks. */
export interface CuttingProxy {
  readonly endpoint: string;
  /** From now on each connection is cut once so many bytes came from the server; null for none. */
  cutAfter(bytes: number | null): void;
  /** Connections that were cut so far. */
  readonly cuts: number;
  stop(): void;
}

export async function startCuttingProxy(endpoint: string): Promise<CuttingProxy> {
  const port = Number(new URL(endpoint).port);
  const sockets = new Set<net.Socket>();
  let most: number | null = null;
  let cuts = 0;
  const server = net.createServer((client) => {
    const behind = net.connect(port, '127.0.0.1');
    let came = 0;
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        behind.destroy();
      });
    }
    client.pipe(behind);
    behind.on('data', (bytes) => {
      came += bytes.byteLength;
      if (most === null || came < most) return void client.write(bytes);
      cuts += 1;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cutAfter(bytes) {
      most = bytes;
    },
    get cuts() {
      return cuts;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
