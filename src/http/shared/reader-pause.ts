import type { FastifyRequest } from 'fastify';

/** A reader of a large file or list may pause for so long before it counts as gone. */
const readerPauseMs = 600_000;

/** To be called before a download starts; other answers are left to the server's shorter time. */
export function allowPauses(request: FastifyRequest): void {
  request.raw.socket.setTimeout(readerPauseMs);
}
