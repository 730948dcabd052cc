import { once } from 'node:events';
import * as net from 'node:net';

/** A way to a server on loopback that breaks. */
export interface CuttingProxy {
  readonly endpoint: string;
  /** From now on each connection is cut once so many bytes came from the server; null for none. */
  cutAfter(bytes: number | null): void;
  /** Keeps back what is answered on the connection on which this text is sent next. */
  hold(text: string): HeldAnswer;
  /** Connections that were cut so far. */
  readonly cuts: number;
  stop(): void;
}

/** An answer that the server has given. */
export interface HeldAnswer {
  /** Resolves when it has. */
  readonly given: Promise<void>;
  /** Lets it through. */
  release(): void;
}

export async function startCuttingProxy(endpoint: string): Promise<CuttingProxy> {
  const port = Number(new URL(endpoint).port);
  const sockets = new Set<net.Socket>();
  let most: number | null = null;
  let cuts = 0;
  let next: { text: string; onGiven: () => void; released: Promise<void> } | null = null;
  const server = net.createServer((client) => {
    let held: typeof next = null;
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
    client.on('data', (bytes) => {
      if (next === null || !bytes.includes(next.text)) return;
      held = next;
      next = null;
    });
    behind.on('data', async (bytes) => {
      came += bytes.byteLength;
      if (held !== null) {
        behind.pause();
        held.onGiven();
        await held.released;
        held = null;
        behind.resume();
      }
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
    hold(text) {
      const given = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      next = { text, onGiven: given.resolve, released: released.promise };
      return { given: given.promise, release: released.resolve };
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
