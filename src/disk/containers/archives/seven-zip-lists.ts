import { refused } from '../../../core/shared/errors.ts';
import type { ByteReader } from './byte-reader.ts';

/** What ends a list. */
export const END = 0x00;
/** What CRC-32s stand behind. */
export const SUMS = 0x0a;
/** Of folders, streams or files. */
export const MOST = 100_000;
/** Why a header is refused. */
export const unknownPart = 'it is damaged: its header has a part that is not known';

/** CRC-32s of which some may not be there. */
export function sumsIn(fields: ByteReader, count: number): (number | null)[] {
  const areThere = fields.byte() === 0 ? bitsIn(fields, count) : null;
  const sums: (number | null)[] = [];
  for (let i = 0; i < count; i += 1) {
    sums.push(areThere === null || areThere[i] ? fields.uint32() : null);
  }
  return sums;
}

/** One bit each, the highest of a byte first. */
export function bitsIn(fields: ByteReader, count: number): boolean[] {
  const bytes = fields.bytes(Math.ceil(count / 8));
  return Array.from({ length: count }, (_, i) => (((bytes[i >> 3] ?? 0) << (i & 7)) & 0x80) !== 0);
}

/** A number of things, each of which takes at least a bit of what follows or of what stood before. */
export function countIn(fields: ByteReader): number {
  const count = fields.number8();
  if (count > MOST) throw refused(`it says to hold ${count} files, which is not read`);
  return count;
}
