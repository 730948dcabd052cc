import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachmentHeader } from './content-disposition.ts';
import { sendPieces } from './send-pieces.ts';

/**
 * Sends text as a file that the browser saves. The pieces of the text are produced while the client
 * reads. `type` is the media type without its charset.
 */
export function sendTextFile(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  { name, type }: { name: string; type: string },
) {
  reply.header('content-disposition', attachmentHeader(name.replaceAll('/', '-')));
  return sendPieces(request, reply, pieces, `${type}; charset=utf-8`);
}
