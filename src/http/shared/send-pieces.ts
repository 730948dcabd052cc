import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { allowPauses } from './reader-pause.ts';

/** Answers with text, JSON unless it is told, whose pieces are made as the reader takes them, without `Content-Length`. */
export function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  type = 'application/json; charset=utf-8',
) {
  allowPauses(request);
  reply.type(type);
  // HEAD would read the whole list to throw it away.
  const body = request.method === 'HEAD' ? [] : pieces;
  return reply.send(Readable.from(body, { objectMode: false }));
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
