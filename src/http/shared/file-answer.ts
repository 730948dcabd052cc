import type { IncomingHttpHeaders } from 'node:http';
import type { StoredFile } from '../../core/shared/file-area.ts';
import { type ByteRange, parseRange } from './byte-range.ts';
import { isListed } from './entity-tags.ts';
import { parseHttpDate } from './http-date.ts';

/**
 * How a request for a file is answered: in full, in part, as unchanged, or with an unsatisfiable
 * range.
 */
export type FileAnswer =
  | { readonly status: 200 | 304 | 416 }
  | { readonly status: 206; readonly range: ByteRange };

/**
 * Decides how to answer a request for a file. The request's conditions are evaluated in the
 * standard's order; `Range` is for GET only (RFC 9110, 13.2.2 and 14.2).
 */
export function decideAnswer(
  request: { method: string; headers: IncomingHttpHeaders },
  file: StoredFile,
): FileAnswer {
  const { method, headers } = request;
  if (isKnownToClient(headers, file)) return { status: 304 };
  if (method !== 'GET' || headers.range === undefined) return { status: 200 };
  if (!isSameVersion(headers['if-range'], file)) return { status: 200 };
  const range = parseRange(headers.range, file.size);
  if (range === 'whole') return { status: 200 };
  if (range === 'unsatisfiable') return { status: 416 };
  return { status: 206, range };
}

/**
 * Returns the modification time in milliseconds, rounded down to a whole second because HTTP dates
 * have no fractions.
 */
export const modifiedMs = (file: StoredFile) => Number(file.mtimeNs / 1_000_000_000n) * 1000;

function isKnownToClient(headers: IncomingHttpHeaders, file: StoredFile): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return isListed(tags, file.etag);
  const since = parseHttpDate(headers['if-modified-since'] ?? '');
  return since !== null && modifiedMs(file) <= since;
}

/**
 * Whether `If-Range` still matches the file: it is absent, names the file's strong tag, or has
 * exactly the date that was sent (RFC 9110, 13.1.5).
 */
function isSameVersion(condition: string | string[] | undefined, file: StoredFile): boolean {
  if (condition === undefined) return true;
  const value = String(condition).trim();
  if (value.startsWith('"')) return value === file.etag;
  return parseHttpDate(value) === modifiedMs(file);
}
