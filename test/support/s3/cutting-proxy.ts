import { once } from 'node:events';
import * as net from 'node:net';

/** A proxy to a server on loopback. Tests can interrupt its connections and delay its messages. */
export interface CuttingProxy {
  readonly endpoint: string;
  /**
   * From now on, interrupts each connection after this number of bytes from the server. With null,
   * interrupts no connection.
   */
  cutAfter(bytes: number | null): void;
  /** Holds back the response on the connection on which `text` is sent next. */
  hold(text: string): HeldAnswer;
  /** Holds back the next request that contains `text`, like a slow network. */
  delay(text: string): DelayedRequest;
  /** Number of connections that the proxy has interrupted so far. */
  readonly cuts: number;
  stop(): void;
}

/** A response that the server has sent and the proxy holds back. */
export interface HeldAnswer {
  /** Resolves when the server has sent the response. */
  readonly given: Promise<void>;
  /** Forwards the response to the client. */
  release(): void;
}

/** A client's connection to the proxy, and the proxy's connection to the server for this client. */
interface Way {
  readonly client: net.Socket;
  readonly behind: net.Socket;
}

/** A request that the client has sent and the proxy holds back. */
export interface DelayedRequest {
  /** Resolves when the first bytes of the request have arrived. */
  readonly came: Promise<void>;
  /** Interrupts the client's connection. */
  cut(): void;
  /**
   * Sends the request to the server, even if the client has disconnected. Resolves when the server
   * has responded.
   */
  carryOut(): Promise<void>;
}

export async function startCuttingProxy(endpoint: string): Promise<CuttingProxy> {
  const port = Number(new URL(endpoint).port);
  const sockets = new Set<net.Socket>();
  let most: number | null = null;
  let cuts = 0;
  let next: { text: string; onGiven: () => void; released: Promise<void> } | null = null;
  let toDelay: { text: string; take: (bytes: Buffer[], way: Way) => void } | null = null;
  const server = net.createServer((client) => {
    let held: typeof next = null;
    let delayed: Buffer[] | null = null;
    const behind = net.connect(port, '127.0.0.1');
    let came = 0;
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        if (delayed === null) behind.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (toDelay !== null && bytes.includes(toDelay.text)) {
        delayed = [];
        toDelay.take(delayed, { client, behind });
        toDelay = null;
      }
      if (delayed !== null) return void delayed.push(bytes);
      if (behind.write(bytes)) return;
      client.pause();
      behind.once('drain', () => client.resume());
    });
    client.on('end', () => {
      if (delayed === null) behind.end();
    });
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
    delay(text) {
      const came = Promise.withResolvers<{ bytes: Buffer[]; way: Way }>();
      toDelay = { text, take: (bytes, way) => came.resolve({ bytes, way }) };
      const cut = async () => (await came.promise).way.client.destroy();
      return {
        came: came.promise.then(() => {}),
        cut: () => void cut(),
        async carryOut() {
          const { bytes, way } = await came.promise;
          way.behind.write(Buffer.concat(bytes));
          await once(way.behind, 'data');
          way.behind.destroy();
        },
      };
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
