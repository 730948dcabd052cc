import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { notFound } from '../../core/shared/errors.ts';

/** A server below a path, `/catalog`: requests lose it before they are routed, and those outside it are unknown paths. */
export class BasePath {
  readonly #path: string;
  readonly #outside = new WeakSet<IncomingMessage>();

  /** Begins with a slash and does not end with one. */
  constructor(path: string) {
    this.#path = path;
  }

  /** The target of a request without the path; unchanged when it is outside. */
  readonly rewrite = (request: Pick<IncomingMessage, 'url'>): string => {
    const url = request.url ?? '/';
    const rest = url.startsWith(this.#path) ? url.slice(this.#path.length) : null;
    if (rest === '' || rest?.startsWith('?')) return `/${rest}`;
    if (rest?.startsWith('/')) return rest;
    this.#outside.add(request as IncomingMessage);
    return url;
  };

  /** An `onRequest` hook. */
  readonly refuseOutside = (
    request: FastifyRequest,
    _reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): void => {
    if (this.#outside.has(request.raw)) done(notFound());
    else done();
  };
}
