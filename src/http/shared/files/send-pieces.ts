import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { currentClient, withClient } from '../../../core/shared/requests/client-context.ts';
import { closeOnStall } from '../server/connections.ts';

/**
 * Sends text (JSON by default) or bytes, without `Content-Length`. The pieces are produced while
 * the client reads. The first two pieces are produced before anything is sent, so that an early
 * error becomes a proper error response. A later failure aborts the connection.
 */
export async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<string | Uint8Array>,
  type = 'application/json; charset=utf-8',
) {
  closeOnStall(request, reply);
  reply.type(type);
  // For HEAD, send no pieces; otherwise the whole list would be read only to be discarded.
  if (request.method === 'HEAD') return reply.send(piecesOf([]));
  const rest = inClientContext(pieces[Symbol.asyncIterator]());
  const first = [await rest.next(), await rest.next()];
  async function* all() {
    try {
      // Remove the pieces from the array. Otherwise they would stay in memory until the last piece
      // is sent.
      for (const { done, value } of first.splice(0)) if (!done) yield value;
      yield* { [Symbol.asyncIterator]: () => rest };
    } finally {
      await rest.return?.();
    }
  }
  return reply.send(piecesOf(all()));
}

/**
 * Streams the pieces, text as strings. Buffers would stay in memory long after they were sent,
 * until the garbage collector runs.
 */
function piecesOf(pieces: Iterable<string> | AsyncIterable<string | Uint8Array>): Readable {
  return Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
}

/**
 * Produces each piece on behalf of the client that requested the first piece. Otherwise the client
 * would be unknown, because a stream may be read in any turn of the event loop.
 */
function inClientContext<T>(pieces: AsyncIterator<T>): AsyncIterator<T> {
  const client = currentClient();
  const next = () => pieces.next();
  return {
    next: () => (client === undefined ? next() : withClient(client, next)),
    return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
  };
}

let lastYield: Promise<void> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop, a separate turn for every caller. When pieces for
 * many clients are produced in memory, other requests therefore wait no longer than one piece
 * takes.
 */
export function yieldToEventLoop(): Promise<void> {
  lastYield = lastYield.then(() => setImmediate());
  return lastYield;
}
