import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TaggedBytes } from '../files/send-tagged.ts';

/** A response in the form in which it is cached. */
export interface CachedBody extends TaggedBytes {
  /**
   * The headers of the response. Set once the response was sent to a request without special
   * headers.
   */
  preparedHeaders?: PreparedHeaders;
}

/** A 200 response that can be sent without further inspection of its request. */
export interface ReadyResponse extends CachedBody {
  readonly preparedHeaders: PreparedHeaders;
}

/**
 * The headers of a 200 response and of its 304, each as alternating names and values, without
 * `connection`.
 */
export interface PreparedHeaders {
  readonly full: string[];
  /** Headers of the 304 response. */
  readonly notModified: string[];
  /** The route of the response, in the router's notation. */
  readonly route: string | undefined;
}

/** Headers that describe the bytes, and are therefore missing in a 304. */
const bodyHeaders = ['accept-ranges', 'content-type', 'content-length'];

/**
 * Returns true if the response has the same headers for every client. A response to a page of
 * another site does not, because its headers name that site.
 */
export function hasCommonHeaders(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
): boolean {
  return method === 'GET' && headers.origin === undefined && reply.statusCode === 200;
}

/** Returns the headers of a response with these bytes, copied from the reply that is being sent. */
export function preparedHeadersOf(
  bytes: Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
): PreparedHeaders {
  const { connection: _, ...fields } = reply.getHeaders();
  const all = Object.entries({ ...fields, 'content-length': bytes.length });
  const others = all.filter(([name]) => !bodyHeaders.includes(name));
  const [full, notModified] = [all, others].map((listed) =>
    listed.flatMap(([name, value]) => [name, String(value)]),
  ) as [string[], string[]];
  return { full, notModified, route: request.routeOptions.url };
}
