import type { FastifyRequest } from 'fastify';

/**
 * Maximum pause of a client that reads a large file or list, in milliseconds. After a longer pause,
 * the connection is closed.
 */
const readerPauseMs = 600_000;

/**
 * Allows the client to pause during a download. Must be called before the download starts. Other
 * responses have the server's shorter timeout.
 */
export function allowPauses(request: FastifyRequest): void {
  request.raw.socket.setTimeout(readerPauseMs);
}
