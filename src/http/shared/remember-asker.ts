import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Asker, askedBy } from '../../core/shared/asker.ts';
import { networkOf } from '../../core/shared/network-of.ts';

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
  if (raw.closed) return AbortSignal.abort(closed);
  const controller = new AbortController();
  raw.once('close', () => controller.abort(closed));
  return controller.signal;
}

/** One for all: without a reason each signal makes an error of its own, with its stack. */
const closed = 'the answer is closed';
