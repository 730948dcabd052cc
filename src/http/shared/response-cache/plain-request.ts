import type { IncomingMessage } from 'node:http';
import { isHost } from '../server/request-head.ts';

/** The relevant fields of a GET request without special headers. */
export interface PlainRequest {
  readonly host: string;
  /** The request's `If-None-Match` header; "" if absent. */
  readonly ifNoneMatch: string;
  /**
   * True if the request uses a feature that only files have: `Range`, or `If-Modified-Since`
   * without `If-None-Match` (RFC 9110, 13.1.3).
   */
  readonly hasFileConditions: boolean;
}

/**
 * Headers that need the framework or announce a body. A request with any of these headers is not
 * plain.
 */
const uncacheableHeaders = new Set([
  'content-length',
  'transfer-encoding',
  'expect',
  'origin',
  'x-forwarded-for',
]);

/**
 * Returns the fields of a plain GET. Returns null for any other request, or if the request does not
 * name exactly one valid host. Reads `rawHeaders`, because accessing `headers` would make Node
 * build that object for each request.
 */
export function parsePlainRequest({ method, rawHeaders }: IncomingMessage): PlainRequest | null {
  if (method !== 'GET') return null;
  let host: string | undefined;
  let known: string | undefined;
  let hasRange = false;
  let hasTime = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    if (name === 'host') {
      if (host !== undefined) return null;
      host = value;
    } else if (name === 'if-none-match') {
      if (known !== undefined) return null;
      known = value;
    } else if (name === 'range') {
      hasRange = true;
    } else if (name === 'if-modified-since') {
      hasTime = true;
    } else if (uncacheableHeaders.has(name)) return null;
  }
  if (host === undefined || !isHost(host)) return null;
  const hasFileConditions = hasRange || (hasTime && known === undefined);
  return { host, ifNoneMatch: known ?? '', hasFileConditions };
}
