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
  // This is not a generator. If the client left before the first read, a generator would never
  // close `rest`.
  const all: AsyncIterator<string | Uint8Array> = {
    // Removes the pieces from the array. Otherwise they would stay in memory until the last piece
    // is sent.
    next: async () => first.shift() ?? rest.next(),
    return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
  };
  return reply.send(piecesOf({ [Symbol.asyncIterator]: () => all }));
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
 * Resolves in a later turn of the event loop; each caller gets a turn of its own. Other requests
 * then wait for one piece at most, even if pieces for many clients are produced in memory.
 */
export function yieldToEventLoop(): Promise<void> {
  lastYield = lastYield.then(() => setImmediate());
  return lastYield;
}
