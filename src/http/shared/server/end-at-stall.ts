import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Time after which a client that accepts no bytes is considered gone, in milliseconds. */
const longestMs = 60_000;
const lookEveryMs = 5_000;

/**
 * Closes a response's connection if bytes are ready and the client accepts none for a minute. A
 * slow client that accepts a few bytes from time to time is not disconnected. Must be called before
 * the response is sent.
 */
export function endAtStall(request: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request.raw;
  // Turn off Node's own timeout. It restarts whenever Node writes into its own buffer, and would
  // also end responses that wait for the server.
  socket.setTimeout(0);
  let seen = -1;
  let since = performance.now();
  const looking = setInterval(() => {
    const taken = bytesTaken(socket);
    const now = performance.now();
    if (taken !== seen || socket.writableLength === 0) [seen, since] = [taken, now];
    else if (now - since >= longestMs) socket.destroy();
  }, lookEveryMs);
  reply.raw.once('close', () => clearInterval(looking));
}

/**
 * Returns the number of written bytes that the operating system has accepted. Node exposes the size
 * of its own write queue only as an internal property.
 */
function bytesTaken(socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number {
  return socket.bytesWritten - (socket._handle?.writeQueueSize ?? 0) - socket.writableLength;
}
