import type { IncomingHttpHeaders } from 'node:http';
import type { StoredFile } from '../../../core/shared/files/file-area.ts';
import { type ByteRange, parseRange } from './byte-range.ts';
import { isListed } from './entity-tags.ts';
import { parseHttpDate } from './http-date.ts';

/**
 * How to respond to a request for a file:
 * - 200: send the whole file;
 * - 206: send a range;
 * - 304: the file is unchanged;
 * - 416: the range is unsatisfiable.
 */
export type FileResponse =
  | { readonly status: 200 | 304 | 416 }
  | { readonly status: 206; readonly range: ByteRange };

/**
 * Decides how to respond to a request for a file. Conditions are evaluated in the order of RFC
 * 9110, 13.2.2. `Range` is ignored unless the method is GET (RFC 9110, 14.2). `tags` are the entity
 * tags of the file's content. A client may know any of them.
 */
export function decideResponse(
  request: { method: string; headers: IncomingHttpHeaders },
  file: StoredFile,
  tags: readonly string[] = [file.etag],
): FileResponse {
  const { method, headers } = request;
  if (isKnownToClient(headers, file, tags)) return { status: 304 };
  if (method !== 'GET' || headers.range === undefined) return { status: 200 };
  if (!isSameVersion(headers['if-range'], file, tags)) return { status: 200 };
  const range = parseRange(headers.range, file.size);
  if (range === 'whole') return { status: 200 };
  if (range === 'unsatisfiable') return { status: 416 };
  return { status: 206, range };
}

/**
 * Returns the modification time in milliseconds since 1970, rounded down to a whole second because
 * HTTP dates have no fractions.
 */
export const modifiedMs = (file: StoredFile) => Number(file.mtimeNs / 1_000_000_000n) * 1000;

function isKnownToClient(
  headers: IncomingHttpHeaders,
  file: StoredFile,
  tags: readonly string[],
): boolean {
  const listed = headers['if-none-match'];
  if (listed !== undefined) return tags.some((tag) => isListed(listed, tag));
  const since = parseHttpDate(headers['if-modified-since'] ?? '');
  return since !== null && modifiedMs(file) <= since;
}

/**
 * Returns true if `If-Range` is absent, contains a strong tag of the file, or contains exactly the
 * modification date that was sent (RFC 9110, 13.1.5).
 */
function isSameVersion(
  condition: string | string[] | undefined,
  file: StoredFile,
  tags: readonly string[],
): boolean {
  if (condition === undefined) return true;
  const value = String(condition).trim();
  if (value.startsWith('"')) return tags.includes(value);
  return parseHttpDate(value) === modifiedMs(file);
}
