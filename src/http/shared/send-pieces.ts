import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { askedBy, currentAsker } from '../../core/shared/asker.ts';
import { endAtStall } from './end-at-stall.ts';

/**
 * Answers with text, JSON unless it is told, whose pieces are made as the reader takes them, without `Content-Length`. The
 * first two are made before anything is sent, so that what refuses the work is answered; a later failure breaks the
 * connection.
 */
export async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  type = 'application/json; charset=utf-8',
) {
  endAtStall(request, reply);
  reply.type(type);
  // HEAD would read the whole list to throw it away.
  if (request.method === 'HEAD') return reply.send(piecesOf([]));
  const rest = forAsker(pieces[Symbol.asyncIterator]());
  const first = [await rest.next(), await rest.next()];
  async function* all() {
    try {
      // Taken out, so that they do not lie in memory until the last piece is sent.
      for (const { done, value } of first.splice(0)) if (!done) yield value;
      yield* { [Symbol.asyncIterator]: () => rest };
    } finally {
      await rest.return?.();
    }
  }
  return reply.send(piecesOf(all()));
}

/** As texts: made bytes of here, they would lie in memory, sent long ago, until V8 looks for what is no longer used. */
function piecesOf(pieces: Iterable<string> | AsyncIterable<string>): Readable {
  return Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
}

/** Makes each piece for the client who asked for the first: a stream is read on in any turn of the event loop. */
function forAsker<T>(pieces: AsyncIterator<T>): AsyncIterator<T> {
  const asker = currentAsker();
  const next = () => pieces.next();
  return {
    next: () => (asker === undefined ? next() : askedBy(asker, next)),
    return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
  };
}

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop, for every caller in one of its own, so that pieces made in memory for many
 * readers together keep nobody else waiting for longer than one piece takes.
 */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}
