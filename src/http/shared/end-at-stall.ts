import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a reader may take no byte before it counts as gone. */
const longestMs = 60_000;
const lookEveryMs = 5_000;

/**
 * Ends the connection of an answer of which bytes lie ready and its reader takes none for a minute; one that takes a
 * few now and then is served on. To be called before the answer is sent.
 */
export function endAtStall(request: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request.raw;
  // Node's own time begins anew at what it wrote into its own buffer, and would end what waits for the server.
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

/** By the system, of what was written: Node tells what lies in its own queue only to itself. */
function bytesTaken(socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number {
  return socket.bytesWritten - (socket._handle?.writeQueueSize ?? 0) - socket.writableLength;
}
