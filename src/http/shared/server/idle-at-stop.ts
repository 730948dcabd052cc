import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ReplayedConnection } from './replayed-connection.ts';

/**
 * How long an open connection must have been silent before a stopping server closes it, in
 * milliseconds. A proxy keeps connections and sends requests on them until it learns that the
 * server stops. A request that is sent while its connection is being closed is lost, and the proxy
 * must not repeat a write.
 */
const silentMs = 500;
/**
 * Maximum number of waiting connections that are accepted before the port closes: the length of
 * Node's queue. The system resets the connections that wait when the port closes, although their
 * clients may have sent requests.
 */
const maxWaiting = 511;

/** An open connection. */
interface Connection {
  /** The responses that have not ended. */
  readonly running: Set<ServerResponse>;
  /** Time at which the connection was opened, or the last response ended. */
  quietSince: number;
}

/**
 * When the app closes, serves the requests that still arrive on open connections, with the header
 * `Connection: close`. Ends each connection that has no running request and was silent for half a
 * second.
 */
export function closeIdleAtStop(app: FastifyInstance): void {
  const open = new Map<Socket, Connection>();
  let isClosing = false;
  let acceptedCount = 0;
  app.server.on('connection', (socket) => {
    if (socket instanceof ReplayedConnection)
      open.delete(socket.raw); // replaced by `socket`
    else acceptedCount += 1;
    open.set(socket, { running: new Set(), quietSince: performance.now() });
    socket.once('close', () => open.delete(socket));
    if (isClosing) void closeWhenSilent(socket);
  });
  // Must run before the listeners that respond, because they may send the headers at once.
  app.server.prependListener('request', ({ socket }, response) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.running.add(response);
    if (isClosing) response.shouldKeepAlive = false;
    response.on('close', () => {
      connection.running.delete(response);
      connection.quietSince = performance.now();
      if (isClosing) void closeWhenSilent(socket);
    });
  });
  app.addHook('preClose', async () => {
    await acceptWaiting();
    isClosing = true;
    for (const [socket, { running }] of open) {
      for (const response of running) response.shouldKeepAlive = false;
      void closeWhenSilent(socket);
    }
  });
  // Node would destroy idle connections at once, even with a request that has not been read.
  app.server.closeIdleConnections = () => {};

  /**
   * Resolves when no connection waits to be accepted, or after `maxWaiting` more connections. Node
   * accepts one connection in each turn of the event loop.
   */
  async function acceptWaiting(): Promise<void> {
    const end = acceptedCount + maxWaiting;
    for (let before = -1; before < acceptedCount && acceptedCount < end; ) {
      before = acceptedCount;
      // The first turn may end before the event loop looks for connections.
      await turn();
      await turn();
    }
  }

  async function closeWhenSilent(socket: Socket): Promise<void> {
    const connection = open.get(socket);
    if (connection === undefined) return;
    let since = connection.quietSince;
    for (let bytes = -1; bytes !== socket.bytesRead; since = performance.now()) {
      bytes = socket.bytesRead;
      await pause(Math.max(0, since + silentMs - performance.now()));
      // After the second turn, the event loop has read all bytes that had arrived before the first.
      await turn();
      await turn();
      if (connection.running.size > 0) return; // the end of the response calls this function again
    }
    socket.destroy();
  }
}
