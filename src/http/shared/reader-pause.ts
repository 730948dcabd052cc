import type { FastifyRequest } from 'fastify';

/**
 * Maximum pause, in milliseconds, of a client that reads a large file or list. After a longer
 * pause, the connection is closed.
 */
const readerPauseMs = 600_000;

/**
 * Lets the client pause during a download. Call this before the download starts; other responses
 * have the server's shorter timeout.
 */
export function allowPauses(request: FastifyRequest): void {
  request.raw.socket.setTimeout(readerPauseMs);
}
