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
  hold(text: string): HeldResponse;
  /** Holds back the next request that contains `text`, like a slow network. */
  delay(text: string): DelayedRequest;
  /** Number of connections that the proxy has interrupted so far. */
  readonly cuts: number;
  stop(): void;
}

/** A response that the server has sent and the proxy holds back. */
export interface HeldResponse {
  /** Resolves when the server has sent the response. */
  readonly arrived: Promise<void>;
  /** Forwards the response to the client. */
  release(): void;
}

/** A client's connection to the proxy, and the proxy's connection to the server for this client. */
interface ProxiedConnection {
  readonly client: net.Socket;
  readonly upstream: net.Socket;
}

/** A request that the client has sent and the proxy holds back. */
export interface DelayedRequest {
  /** Resolves when the first bytes of the request have arrived. */
  readonly arrived: Promise<void>;
  /** Interrupts the client's connection. */
  cut(): void;
  /**
   * Sends the request to the server, even if the client has disconnected. Resolves when the server
   * has responded.
   */
  forward(): Promise<void>;
}

export async function startCuttingProxy(endpoint: string): Promise<CuttingProxy> {
  const port = Number(new URL(endpoint).port);
  const sockets = new Set<net.Socket>();
  let cutAfterBytes: number | null = null;
  let cuts = 0;
  let nextHold: { text: string; onSent: () => void; released: Promise<void> } | null = null;
  let nextDelay: {
    text: string;
    take: (bytes: Buffer[], connection: ProxiedConnection) => void;
  } | null = null;
  const server = net.createServer((client) => {
    let held: typeof nextHold = null;
    let delayed: Buffer[] | null = null;
    const upstream = net.connect(port, '127.0.0.1');
    let receivedBytes = 0;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        if (delayed === null) upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (nextDelay !== null && bytes.includes(nextDelay.text)) {
        delayed = [];
        nextDelay.take(delayed, { client, upstream });
        nextDelay = null;
      }
      if (delayed !== null) return void delayed.push(bytes);
      if (upstream.write(bytes)) return;
      client.pause();
      upstream.once('drain', () => client.resume());
    });
    client.on('end', () => {
      if (delayed === null) upstream.end();
    });
    client.on('data', (bytes) => {
      if (nextHold === null || !bytes.includes(nextHold.text)) return;
      held = nextHold;
      nextHold = null;
    });
    upstream.on('data', async (bytes) => {
      receivedBytes += bytes.byteLength;
      if (held !== null) {
        upstream.pause();
        held.onSent();
        await held.released;
        held = null;
        upstream.resume();
      }
      if (cutAfterBytes === null || receivedBytes < cutAfterBytes) return void client.write(bytes);
      cuts += 1;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cutAfter(bytes) {
      cutAfterBytes = bytes;
    },
    hold(text) {
      const sent = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      nextHold = { text, onSent: sent.resolve, released: released.promise };
      return { arrived: sent.promise, release: released.resolve };
    },
    delay(text) {
      const request = Promise.withResolvers<{ bytes: Buffer[]; connection: ProxiedConnection }>();
      nextDelay = {
        text,
        take: (bytes, connection) => request.resolve({ bytes, connection }),
      };
      const cut = async () => (await request.promise).connection.client.destroy();
      return {
        arrived: request.promise.then(() => {}),
        cut: () => void cut(),
        async forward() {
          const { bytes, connection } = await request.promise;
          connection.upstream.write(Buffer.concat(bytes));
          await once(connection.upstream, 'data');
          connection.upstream.destroy();
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
