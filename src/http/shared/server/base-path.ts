import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { notFound } from '../../../core/shared/errors.ts';

/**
 * Serves the app below a path prefix such as `/catalog`. The prefix is removed from requests before
 * routing. Paths outside the prefix are not found.
 */
export class BasePath {
  readonly #path: string;
  readonly #outside = new WeakSet<IncomingMessage>();

  /** `path` starts with a slash and does not end with one. */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Returns a request's target without the prefix. Returns a target outside the prefix unchanged.
   */
  readonly rewrite = (request: Pick<IncomingMessage, 'url'>): string => {
    const url = request.url ?? '/';
    const rest = url.startsWith(this.#path) ? url.slice(this.#path.length) : null;
    if (rest === '' || rest?.startsWith('?')) return `/${rest}`;
    if (rest?.startsWith('/')) return rest;
    this.#outside.add(request as IncomingMessage);
    return url;
  };

  /** An `onRequest` hook that throws `not found` for paths outside the prefix. */
  readonly refuseOutside = (
    request: FastifyRequest,
    _reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): void => {
    if (this.#outside.has(request.raw)) done(notFound());
    else done();
  };
}
