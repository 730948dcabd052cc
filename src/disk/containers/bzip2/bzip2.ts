import { BitReader } from '../bit-reader.ts';
import { readBlock } from './block.ts';
import { writeBlockBytes } from './block-bytes.ts';

const BLOCK = 0x314159265359;
const END = 0x177245385090;

/**
 * Unpacks a bzip2 stream to at most `maxBytes` bytes and compares the checksum of each block.
 * Throws a RangeError if a block does not fit or is damaged.
 *
 * Source: Joe Tsai's "BZIP2 Format Specification" (2016). A stream contains `BZh`, the block size
 * as one digit (in units of 100,000 bytes), and blocks. Each block starts with the digits of pi.
 * The digits of the square root of pi mark the end.
 */
export function unpackBzip2(packed: Uint8Array, maxBytes: number): Buffer {
  const out = Buffer.alloc(maxBytes);
  const bits = new BitReader(packed);
  if (bits.read(24) !== 0x425a68) throw new RangeError('no bzip2 stream');
  const level = bits.read(8) - 0x30;
  if (level < 1 || level > 9) throw new RangeError('a bzip2 stream of no known size');
  let done = 0;
  while (done < maxBytes) {
    const start = bits.read(48);
    if (start === END) break;
    if (start !== BLOCK) throw new RangeError('no bzip2 block');
    const sum = bits.read(32);
    done += writeBlockBytes(readBlock(bits, level * 100_000), sum, out.subarray(done));
  }
  return out.subarray(0, done);
}
