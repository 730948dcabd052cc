import { BitReader } from '../bit-reader.ts';
import { huffmanCode } from './huffman.ts';

const SYMBOLS = 256;
const MAX_BITS = 16;
const SMALL_SYMBOLS = 24;
const SMALL_BITS = 6;

/**
 * Unpacks the codec `huff`, in which each byte is one symbol of a Huffman code. Throws a RangeError
 * if the data is damaged.
 *
 * Source: mamedev/mame `src/lib/util/huffman.cpp`. The lengths of the 256 codes come first, packed
 * with a second, small Huffman code. The bytes follow.
 */
export function unpackHuffman(packed: Uint8Array, size: number): Buffer {
  const bits = new BitReader(packed);
  const code = huffmanCode(readLengths(bits), MAX_BITS);
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = code.next(bits);
  if (bits.isPastEnd) throw new RangeError('bytes in a Huffman code that are cut');
  return bytes;
}

/**
 * Reads the lengths of the 256 codes. A value above 0 is a length plus one. A value of 0 repeats
 * the last length, and the number of repetitions follows.
 */
function readLengths(bits: BitReader): Uint8Array {
  const small = huffmanCode(readSmallLengths(bits), SMALL_BITS);
  const lengths = new Uint8Array(SYMBOLS);
  let last = 0;
  for (let at = 0; at < SYMBOLS; ) {
    const value = small.next(bits);
    if (value !== 0) {
      last = value - 1;
      lengths[at] = last;
      at += 1;
      continue;
    }
    let count = bits.read(3) + 2;
    if (count === 9) count += bits.read(8);
    lengths.fill(last, at, Math.min(at + count, SYMBOLS));
    at += count;
  }
  return lengths;
}

/**
 * Reads the code lengths of the small Huffman code. The first value is the length for symbol 0. The
 * second value is the number of following symbols without a code. Each further value is the length
 * for one symbol. A value of 7 means that all remaining symbols have no code.
 */
function readSmallLengths(bits: BitReader): Uint8Array {
  const lengths = new Uint8Array(SMALL_SYMBOLS);
  lengths[0] = bits.read(3);
  for (let at = bits.read(3) + 1; at < SMALL_SYMBOLS; at += 1) {
    const length = bits.read(3);
    if (length === 7) break;
    lengths[at] = length;
  }
  return lengths;
}
