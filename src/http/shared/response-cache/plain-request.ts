import type { IncomingMessage } from 'node:http';
import { isHost } from '../request-head.ts';

/** The relevant fields of a GET request without special headers. */
export interface PlainRequest {
  readonly host: string;
  /** `If-None-Match` as it was sent; "" if absent. */
  readonly known: string;
  /**
   * Whether it uses a feature that only files have: a range, or `If-Modified-Since`, which counts
   * only without a tag (RFC 9110, 13.1.3).
   */
  readonly asksOfFile: boolean;
}

/** Headers that make a request special, or announce a body. */
const special = new Set([
  'content-length',
  'transfer-encoding',
  'expect',
  'origin',
  'x-forwarded-for',
]);

/**
 * Returns the fields of a plain GET. Returns null for any other request, and unless it names
 * exactly one valid host. It reads the raw headers, because `headers` would have to be built for
 * each request.
 */
export function readPlain({ method, rawHeaders }: IncomingMessage): PlainRequest | null {
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
    } else if (special.has(name)) return null;
  }
  if (host === undefined || !isHost(host)) return null;
  const asksOfFile = hasRange || (hasTime && known === undefined);
  return { host, known: known ?? '', asksOfFile };
}
