import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Asker, askedBy } from '../../core/shared/asker.ts';
import { networkOf } from '../../core/shared/network-of.ts';

/**
 * Reads the address of every connection as soon as the connection is accepted. A socket remembers
 * the client's address after the client has left, but only if the address was read before. Closes a
 * connection whose client has already left.
 */
export function readAddresses(server: Server): void {
  server.on('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
  });
}

/**
 * An `onRequest` hook that records the request's client. All further work for the request is done
 * on behalf of this client, until the response is closed.
 */
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

  /** Created on first use, because most requests are answered before any code reads the signal. */
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

/**
 * Reason with which a client's signal is aborted. The reason is shared, because without a reason
 * each signal would create its own error with a stack.
 */
export const answerClosed = 'the answer is closed';
