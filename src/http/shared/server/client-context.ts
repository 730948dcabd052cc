import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ClientContext, withClient } from '../../../core/shared/requests/client-context.ts';
import { networkOf } from '../../../core/shared/requests/network-of.ts';

/**
 * Reads the IP address of every connection as soon as it is accepted. A socket whose client has
 * left returns the address only if it was read before. Closes a connection whose client has already
 * left.
 */
export function readAddresses(server: Server): void {
  server.on('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
  });
}

/**
 * An `onRequest` hook that records the request's client. Until the response is closed, all further
 * work for the request is done on behalf of this client.
 */
export function enterClientContext(
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  withClient(new Client(request, reply), done);
}

class Client implements ClientContext {
  readonly network: string;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.network = networkOf(request.ip);
    this.#reply = reply;
  }

  /** Created on first use, because most requests are completed before any code reads the signal. */
  get signal(): AbortSignal {
    this.#signal ??= abortedAtClose(this.#reply);
    return this.#signal;
  }
}

function abortedAtClose({ raw }: FastifyReply): AbortSignal {
  if (raw.closed) return AbortSignal.abort(responseClosed);
  const controller = new AbortController();
  raw.once('close', () => controller.abort(responseClosed));
  return controller.signal;
}

/**
 * The reason with which a client's signal is aborted. All signals share this reason; without it,
 * each signal would create its own error with a stack.
 */
export const responseClosed = 'the answer is closed';
