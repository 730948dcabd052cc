import type { SortedBlock } from './block.ts';

/**
 * Number of equal bytes after which a count follows. The count states how often the byte is
 * repeated after that.
 */
const RUN = 4;

/**
 * Writes a block's bytes to `out` and returns their number. Throws a RangeError if the bytes do not
 * fit or their checksum differs from `sum`.
 */
export function writeBlockBytes(
  { column, row }: SortedBlock,
  sum: number,
  out: Uint8Array,
): number {
  const next = rowsBehind(column);
  let at = next[row] as number;
  let size = 0;
  let crc = 0xffffffff;
  let last = -1;
  let equal = 0;
  for (let i = 0; i < column.length; i += 1) {
    const byte = column[at] as number;
    at = next[at] as number;
    const count = equal === RUN ? byte : 1;
    const written = equal === RUN ? last : byte;
    if (count > out.length - size) throw new RangeError('a bzip2 block that is too long');
    for (let j = 0; j < count; j += 1) {
      out[size] = written;
      size += 1;
      crc = (crc << 8) ^ (sums[(crc >>> 24) ^ written] as number);
    }
    equal = equal === RUN ? 0 : byte === last ? equal + 1 : 1;
    last = equal === 0 ? -1 : byte;
  }
  if (~crc >>> 0 !== sum) throw new RangeError('a bzip2 block that is not what it was');
  return size;
}

/** For each index in the last column, returns the index of the byte that follows in the block. */
function rowsBehind(column: Uint8Array): Uint32Array {
  const starts = new Uint32Array(257);
  for (const byte of column) starts[byte + 1] = (starts[byte + 1] as number) + 1;
  for (let byte = 0; byte < 256; byte += 1) {
    starts[byte + 1] = (starts[byte + 1] as number) + (starts[byte] as number);
  }
  const next = new Uint32Array(column.length);
  for (let i = 0; i < column.length; i += 1) {
    const byte = column[i] as number;
    const place = starts[byte] as number;
    starts[byte] = place + 1;
    next[place] = i;
  }
  return next;
}

/** Table for the CRC-32 variant that processes the highest bit of each byte first. */
const sums = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  return sum;
});
