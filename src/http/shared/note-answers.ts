import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** The route's path with its parameters, `/api/releases/{release_id}`. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Who wants to know of answered requests. */
export interface AnswerNotes {
  readonly log: FastifyBaseLogger;
  /** Whether each request is logged. */
  readonly accessLog: boolean;
  /** Told of each request that was answered; `route` is `none` for an unknown path. */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
}

/** What is known of an answer, however it was given. */
export interface Answered {
  readonly method: string;
  /** As it was sent, with the query. */
  readonly address: string;
  /** As the router writes it, `/api/users/:user_id`. */
  readonly route: string | undefined;
  readonly status: number;
  readonly ms: number;
  /** The client's address. */
  readonly client: string;
  /** The name of the user whose credentials came with the request, where that is known. */
  readonly user?: string | undefined;
}

/** What follows an answer: its line in the log, its place in the figures. */
export function noteAnswered({ accessLog, onAnswered }: AnswerNotes, answered: Answered, log: Log) {
  const { method, status, ms } = answered;
  if (accessLog) {
    const [path = ''] = answered.address.split('?', 1);
    const address = answered.client;
    // Only refusals name the user; the log does not follow what users do otherwise.
    const user = status === 403 && answered.user !== undefined ? { user: answered.user } : {};
    const fields = { method, path: path.slice(0, 500), status, ms: Math.round(ms), address };
    log({ ...fields, ...user }, 'request');
  }
  if (onAnswered === undefined) return;
  const route = (answered.route ?? 'none').replace(/:(\w+)/g, '{$1}');
  onAnswered({ method, route, status, seconds: ms / 1000 });
}

const users = new WeakMap<FastifyRequest, string>();

/** Has the log name this user where the request is answered with 403. */
export function noteUser(request: FastifyRequest, username: string): void {
  users.set(request, username);
}

type Log = (fields: object, message: string) => void;

/** The same of an answer by the framework. */
export function noteReply(notes: AnswerNotes, request: FastifyRequest, reply: FastifyReply): void {
  noteAnswered(
    notes,
    {
      method: request.method,
      address: request.originalUrl,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      client: request.ip,
      user: users.get(request),
    },
    (fields, message) => request.log.info(fields, message),
  );
}

/** Names requests in the log: `req-1`, `req-2`, ... in base 36. */
export function requestNames(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `req-${last.toString(36)}`;
  };
}
