import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a client may take no byte before it counts as gone. */
const longestMs = 60_000;
const lookEveryMs = 5_000;

/**
 * Ends a response's connection if bytes are ready and its client takes none for a minute. A slow
 * client that takes a few now and then is still served. Call it before the response is sent.
 */
export function endAtStall(request: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request.raw;
  // Node's own timeout restarts when Node writes into its own buffer, and would also end responses
  // that wait for the server.
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
 * Returns how many written bytes the system has taken. Node exposes the size of its own queue only
 * internally.
 */
function bytesTaken(socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number {
  return socket.bytesWritten - (socket._handle?.writeQueueSize ?? 0) - socket.writableLength;
}
