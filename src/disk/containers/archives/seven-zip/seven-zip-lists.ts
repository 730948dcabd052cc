import { refused } from '../../../../core/shared/errors.ts';
import type { ByteReader } from '../byte-reader.ts';

/** Id that ends a list. */
export const END = 0x00;
/** Id that precedes a list of CRC-32s. */
export const CRC32_LIST_ID = 0x0a;
/** Maximum number of folders, of streams, and of files in a 7z. */
export const MAX_COUNT = 100_000;
/** Reason for refusing a header that has an unknown part. */
export const unknownPart = 'it is damaged: its header has a part that is not known';

/**
 * Reads `count` CRC-32s. The result contains null for each CRC-32 that the archive does not state.
 */
export function readCrc32s(fields: ByteReader, count: number): (number | null)[] {
  const areThere = fields.byte() === 0 ? bitsIn(fields, count) : null;
  const sums: (number | null)[] = [];
  for (let i = 0; i < count; i += 1) {
    sums.push(areThere === null || areThere[i] ? fields.uint32() : null);
  }
  return sums;
}

/** Reads `count` bits, starting with the highest bit of each byte. */
export function bitsIn(fields: ByteReader, count: number): boolean[] {
  const bytes = fields.bytes(Math.ceil(count / 8));
  return Array.from({ length: count }, (_, i) => (((bytes[i >> 3] ?? 0) << (i & 7)) & 0x80) !== 0);
}

/**
 * Reads the number of items in a list. Throws a `CatalogError` of kind `refused` if the number is
 * above `MAX_COUNT`.
 */
export function countIn(fields: ByteReader): number {
  const count = fields.number8();
  if (count > MAX_COUNT) throw refused(`it says to hold ${count} files, which is not read`);
  return count;
}
