import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import {
  badRequest,
  CatalogError,
  type ErrorKind,
  unsupportedMediaType,
} from '../../../core/shared/errors.ts';
import { responseClosed } from './client-context.ts';
import { maskSecrets } from './mask-secrets.ts';

const statuses: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  'login-failed': 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  changed: 412,
  version: 412,
  'too-large': 413,
  unsupported: 415,
  range: 416,
  expectation: 417,
  misdirected: 421,
  unprocessable: 422,
  'too-many': 429,
  checksum: 460,
  usage: 500,
  refused: 500,
  busy: 503,
  'storage-full': 507,
};

export const statusOf = ({ kind }: CatalogError): number => statuses[kind];

/** Returns the JSON text of an error with this message, in the API's own format. */
export type ErrorBody = (message: string) => string;

/**
 * Sends the response for an error. An error that is not expected is logged, and its response is
 * `internal error`.
 */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ErrorBody,
): void {
  reply.type('application/json; charset=utf-8');
  // The client left before its body ended or before its response was ready. The server did nothing
  // wrong, so this is not logged.
  const isClientGone = error === request.raw.errored || error === responseClosed;
  const known = isClientGone ? badRequest() : asCatalogError(error);
  const status = known === null ? 500 : statusOf(known);
  if (status >= 500) for (const name of fileHeaders) reply.removeHeader(name);
  if (known === null) {
    request.log.error({ err: error, url: maskSecrets(request.url) }, 'internal error');
    reply.code(status).send(body('internal error'));
    return;
  }
  // Log expected errors such as a locked database or a full disk, because the operator should know
  // of them. If the client left, its reads fail as `busy`; these errors are not logged.
  const isGivenUp = known.kind === 'busy' && reply.raw.closed;
  if (status >= 500 && !isGivenUp) request.log.warn({ err: known }, known.message);
  if (known.kind === 'unauthenticated' && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', 'Bearer');
  }
  if (known.retryAfter !== undefined) reply.header('retry-after', known.retryAfter);
  reply.code(status).send(body(known.message));
}

/** Headers of a file. They are set before its first bytes are read, which may fail. */
const fileHeaders = [
  'accept-ranges',
  'content-disposition',
  'content-range',
  'etag',
  'last-modified',
];

function asCatalogError(error: unknown): CatalogError | null {
  if (error instanceof CatalogError) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType();
  // The framework itself refused the request, for example because the path is too long.
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode < 500) {
    return badRequest();
  }
  return null;
}
