import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Maximum pause of a client that reads a large file or list, in milliseconds. After a longer pause,
 * the connection is closed.
 */
const readerPauseMs = 600_000;

/** Time after which a client that accepts no bytes is considered gone, in milliseconds. */
const maxStallMs = 60_000;

const checkIntervalMs = 5_000;

/**
 * Exempts a connection from the idle timeout while the server is the slow side. That is the case
 * while the server produces the response to a complete request. It is also the case while buffered
 * body bytes are unread, because a disk or store is busy. All other connections are closed at the
 * timeout.
 */
export function exemptFromIdleTimeout(server: Server): void {
  const last = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  server.on('request', (request, response) => last.set(request.socket, { request, response }));
  server.on('timeout', (socket) => {
    const current = last.get(socket);
    if (current === undefined || !isServerTurn(current)) return socket.destroy();
    socket.setTimeout(server.timeout); // otherwise a vanished client stays connected
  });
}

function isServerTurn(current: { request: IncomingMessage; response: ServerResponse }): boolean {
  const { request, response } = current;
  return !response.headersSent && (request.complete || request.readableLength > 0);
}

/**
 * Closes a response's connection if bytes are ready and the client accepts none for a minute. A
 * slow client that accepts a few bytes from time to time is not disconnected. Must be called before
 * the response is sent.
 */
export function closeOnStall(request: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request.raw;
  // Turn off Node's own timeout. It restarts whenever Node writes into its own buffer, and would
  // also end responses that wait for the server.
  socket.setTimeout(0);
  let seen = -1;
  let since = performance.now();
  const stallCheck = setInterval(() => {
    const taken = bytesSent(socket);
    const now = performance.now();
    if (taken !== seen || socket.writableLength === 0) [seen, since] = [taken, now];
    else if (now - since >= maxStallMs) socket.destroy();
  }, checkIntervalMs);
  reply.raw.once('close', () => clearInterval(stallCheck));
}

/**
 * Returns the number of written bytes that the operating system has accepted. Node exposes the size
 * of its own write queue only as an internal property.
 */
function bytesSent(socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number {
  return socket.bytesWritten - (socket._handle?.writeQueueSize ?? 0) - socket.writableLength;
}

/**
 * Allows the client to pause during a download. Must be called before the download starts. Other
 * responses have the server's shorter timeout.
 */
export function allowPauses(request: FastifyRequest): void {
  request.raw.socket.setTimeout(readerPauseMs);
}
