import type { FastifyRequest } from 'fastify';

/** How long a client of a large file or list may pause before it counts as gone. */
const readerPauseMs = 600_000;

/** Call it before a download starts; other responses have the server's shorter timeout. */
export function allowPauses(request: FastifyRequest): void {
  request.raw.socket.setTimeout(readerPauseMs);
}
