import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isListed } from './entity-tags.ts';

/** The bytes of a 200 response with a strong entity tag. */
export interface TaggedBytes {
  readonly bytes: Buffer;
  readonly etag: string;
}

/**
 * The content of a 200 response and its strong entity tag. If `etag` is undefined, the tag is
 * calculated from the bytes.
 */
export type JsonResult = (
  | { readonly body: object }
  /** The body as JSON. */
  | { readonly json: string }
) & { readonly etag?: string };

/** Returns the JSON of a 200 response in the API's serialization, with a strong entity tag. */
export function taggedJson(reply: FastifyReply, result: JsonResult): TaggedBytes {
  const json = 'json' in result ? result.json : (reply.serialize(result.body) as string);
  const bytes = Buffer.from(json);
  return { bytes, etag: result.etag ?? `"${hash('sha1', bytes, 'base64url')}"` };
}

/**
 * Sends JSON, or 304 if the client already has the JSON. Caches must revalidate the JSON before
 * each use, unless the reply already has a `Cache-Control`.
 */
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
