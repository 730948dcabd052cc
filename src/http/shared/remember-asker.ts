import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Asker, askedBy } from '../../core/shared/asker.ts';
import { networkOf } from '../../core/shared/network-of.ts';

/**
 * Reads the address of every connection as soon as it is accepted: a socket tells its first answer again after the client
 * has gone, but a closed one that was never asked knows none. A connection whose client is gone by then is closed.
 */
export function readAddresses(server: Server): void {
  server.on('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
  });
}

/** An `onRequest` hook: what is done for the request from here on is done for its client, until its answer is closed. */
export function rememberAsker(
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  askedBy(new Client(request, reply), done);
}

class Client implements Asker {
  readonly network: string;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.network = networkOf(request.ip);
    this.#reply = reply;
  }

  /** Made when it is asked for: most requests are answered before anybody does. */
  get signal(): AbortSignal {
    this.#signal ??= abortedAtClose(this.#reply);
    return this.#signal;
  }
}

function abortedAtClose({ raw }: FastifyReply): AbortSignal {
  if (raw.closed) return AbortSignal.abort(answerClosed);
  const controller = new AbortController();
  raw.once('close', () => controller.abort(answerClosed));
  return controller.signal;
}

/** Why a client's signal is aborted. One for all: without a reason each signal makes an error of its own, with its stack. */
export const answerClosed = 'the answer is closed';
