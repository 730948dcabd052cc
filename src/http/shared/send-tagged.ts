import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isListed } from './entity-tags.ts';

/** The bytes of a 200 with a strong entity tag. */
export interface TaggedBytes {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** What a 200 holds, with its strong entity tag where it is not to be made of the bytes. */
export interface Made {
  readonly answer: object;
  readonly etag?: string;
}

/** The JSON of a 200 as the API writes it. */
export function taggedJson(reply: FastifyReply, { answer, etag }: Made): TaggedBytes {
  const bytes = Buffer.from(reply.serialize(answer) as string);
  return { bytes, etag: etag ?? `"${hash('sha1', bytes, 'base64url')}"` };
}

/** Answers with JSON, or with 304 when the client has it; whoever keeps it asks each time whether it is still the same. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: TaggedBytes,
): FastifyReply {
  reply.header('etag', etag);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
  if (isListed(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(bytes);
}
