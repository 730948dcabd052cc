import { refused } from '../../../core/shared/errors.ts';
import type { ByteReader } from './byte-reader.ts';

/** The id that ends a list. */
export const END = 0x00;
/** The id that precedes CRC-32s. */
export const SUMS = 0x0a;
/** Maximum number of folders, streams or files. */
export const MOST = 100_000;
/** Why a header with an unknown part is refused. */
export const unknownPart = 'it is damaged: its header has a part that is not known';

/** Reads CRC-32s, some of which may be missing (null). */
export function sumsIn(fields: ByteReader, count: number): (number | null)[] {
  const areThere = fields.byte() === 0 ? bitsIn(fields, count) : null;
  const sums: (number | null)[] = [];
  for (let i = 0; i < count; i += 1) {
    sums.push(areThere === null || areThere[i] ? fields.uint32() : null);
  }
  return sums;
}

/** Reads one bit per item, the highest bit of a byte first. */
export function bitsIn(fields: ByteReader, count: number): boolean[] {
  const bytes = fields.bytes(Math.ceil(count / 8));
  return Array.from({ length: count }, (_, i) => (((bytes[i >> 3] ?? 0) << (i & 7)) & 0x80) !== 0);
}

/**
 * Reads a number of items, each of which takes at least one bit of the data before or after it.
 * Throws a refused `CatalogError` above `MOST`.
 */
export function countIn(fields: ByteReader): number {
  const count = fields.number8();
  if (count > MOST) throw refused(`it says to hold ${count} files, which is not read`);
  return count;
}
