import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { maskSecrets } from './mask-secrets.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Name of the user whose credentials came with the request; the log names it at a 403. */
    username: string | undefined;
  }
}

/** A completed request. */
export interface CompletedRequest {
  readonly method: string;
  /** Path of the route with its parameters, `/api/releases/{release_id}`. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Receivers of information on completed requests: the log, and a callback. */
export interface RequestLogOptions {
  readonly log: FastifyBaseLogger;
  /** True to log each request. */
  readonly accessLog: boolean;
  /** Called for each completed request; `route` is `none` for an unknown path. */
  readonly onRequestCompleted?: (completed: CompletedRequest) => void;
}

/** Describes a response, however it was sent. */
export interface RequestLogEntry {
  readonly method: string;
  /** The request's URL as the client sent it, including the query. */
  readonly url: string;
  /** Path in the router's notation, `/api/users/:user_id`. */
  readonly route: string | undefined;
  readonly status: number;
  readonly ms: number;
  /** The client's IP address. */
  readonly client: string;
  /** Name of the user whose credentials came with the request; undefined if not determined. */
  readonly user?: string | undefined;
}

/** Logs a response, and passes it to `onRequestCompleted`. */
export function logRequest(
  { accessLog, onRequestCompleted }: RequestLogOptions,
  completed: RequestLogEntry,
  log: Log,
) {
  const { method, status, ms } = completed;
  if (accessLog) {
    const [path = ''] = completed.url.split('?', 1);
    const address = completed.client;
    // The log names the user only for refusals, so that it does not record what users do.
    const user = status === 403 && completed.user !== undefined ? { user: completed.user } : {};
    const fields = {
      method,
      path: maskSecrets(path).slice(0, 500),
      status,
      ms: Math.round(ms),
      address,
    };
    log({ ...fields, ...user }, 'request');
  }
  if (onRequestCompleted === undefined) return;
  const route = (completed.route ?? 'none').replace(/:(\w+)/g, '{$1}');
  onRequestCompleted({ method, route, status, seconds: ms / 1000 });
}

type Log = (fields: object, message: string) => void;

/** Logs a response that the framework sent, and passes it to `onRequestCompleted`. */
export function logReply(
  options: RequestLogOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  logRequest(
    options,
    {
      method: request.method,
      url: request.originalUrl,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      client: request.ip,
      user: request.username,
    },
    (fields, message) => request.log.info(fields, message),
  );
}

/** Returns a function that names requests in the log: `req-1`, `req-2`, ... in base 36. */
export function requestIdGenerator(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `req-${last.toString(36)}`;
  };
}
