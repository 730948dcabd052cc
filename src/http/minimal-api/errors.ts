import type { FastifyReply, FastifyRequest } from 'fastify';
import * as shared from '../shared/answer-error.ts';
import { prettyJson } from './pretty-json.ts';

/** Every error of this API is `{error}`. */
export const errorBody: shared.ErrorBody = (message) => prettyJson({ error: message });

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  shared.answerError(error, request, reply, errorBody);
}
