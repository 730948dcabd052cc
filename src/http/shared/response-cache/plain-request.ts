import type { IncomingMessage } from 'node:http';
import { isHost } from '../request-head.ts';

/** What is asked for by a GET with nothing special about it. */
export interface PlainRequest {
  readonly host: string;
  /** `If-None-Match` as it was sent; "" without. */
  readonly known: string;
  /**
   * Whether it asks for what only a file has: a range, or what was modified since, which counts only without a tag (RFC 9110,
   * 13.1.3).
   */
  readonly asksOfFile: boolean;
}

/** Header fields by which a request asks for something special, or sends something. */
const special = new Set([
  'content-length',
  'transfer-encoding',
  'expect',
  'origin',
  'x-forwarded-for',
]);

/**
 * What a plain GET says; null for any other request, and for one that names no host, several, or none that can be read. It
 * reads the fields as they were sent: `headers` would be made for each request.
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
