import { refused } from '../../../core/shared/errors.ts';
import type { ByteReader } from './byte-reader.ts';

/** The id that ends a list. */
export const END = 0x00;
/** The id that precedes CRC-32s. */
export const SUMS = 0x0a;
/** Maximum number of folders, of streams, and of files in a 7z. */
export const MOST = 100_000;
/** The reason for refusing a header that has an unknown part. */
export const unknownPart = 'it is damaged: its header has a part that is not known';

/** Reads `count` CRC-32s; null for each one that the archive does not state. */
export function sumsIn(fields: ByteReader, count: number): (number | null)[] {
  const areThere = fields.byte() === 0 ? bitsIn(fields, count) : null;
  const sums: (number | null)[] = [];
  for (let i = 0; i < count; i += 1) {
    sums.push(areThere === null || areThere[i] ? fields.uint32() : null);
  }
  return sums;
}

/** Reads `count` bits, the highest bit of each byte first. */
export function bitsIn(fields: ByteReader, count: number): boolean[] {
  const bytes = fields.bytes(Math.ceil(count / 8));
  return Array.from({ length: count }, (_, i) => (((bytes[i >> 3] ?? 0) << (i & 7)) & 0x80) !== 0);
}

/**
 * Reads the number of items in a list. Throws a refused `CatalogError` if the number is above
 * `MOST`.
 */
export function countIn(fields: ByteReader): number {
  const count = fields.number8();
  if (count > MOST) throw refused(`it says to hold ${count} files, which is not read`);
  return count;
}
