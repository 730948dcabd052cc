import type { FastifyReply, FastifyRequest } from 'fastify';
import { CatalogError } from '../../core/shared/errors.ts';
import * as shared from '../shared/answer-error.ts';

/** Every error of this API is `{detail}`. */
export const errorBody: shared.ErrorBody = (detail) => JSON.stringify({ detail });

/** A failed login asks for no token; everything else that lacks one does. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof CatalogError && error.message === 'not authenticated') {
    reply.header('www-authenticate', 'Bearer');
  }
  shared.answerError(error, request, reply, errorBody);
}
