import type { BitReader } from '../bit-reader.ts';

/**
 * A Huffman code in the form that CHDs use. Codes have at most 16 bits. The longest codes have the
 * lowest values. Codes of equal length are in the order of their symbols.
 */
export interface HuffmanCode {
  /** Reads the next symbol. Throws a RangeError if the next bits are not a valid code. */
  next(bits: BitReader): number;
}

/**
 * Returns the Huffman code in which symbol `i` has `lengths[i]` bits. A length of 0 means that the
 * symbol has no code. `maxBits` is the maximum length. Throws a RangeError if the lengths are
 * impossible.
 *
 * Source: mamedev/mame `src/lib/util/huffman.cpp`.
 */
export function huffmanCode(lengths: Uint8Array, maxBits: number): HuffmanCode {
  const firstCode = firstCodes(lengths, maxBits);
  // For each value of the next `maxBits` bits: the symbol in the upper bits, and the length of the
  // symbol's code in the low 5 bits.
  const table = new Uint16Array(1 << maxBits);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const code = firstCode[length] as number;
    firstCode[length] = code + 1;
    const shift = maxBits - length;
    table.fill((symbol << 5) | length, code << shift, (code + 1) << shift);
  }
  return {
    next(bits) {
      const entry = table[bits.peek(maxBits)] as number;
      if (entry === 0) throw new RangeError('bits that are no Huffman code');
      bits.skip(entry & 31);
      return entry >> 5;
    },
  };
}

/**
 * Reads the code lengths of the Huffman code with which the map is packed. Equal lengths may be
 * stored as a run. Throws a RangeError if there are more lengths than `symbols`.
 */
export function readLengthRuns(bits: BitReader, symbols: number, maxBits: number): Uint8Array {
  const width = maxBits >= 16 ? 5 : maxBits >= 8 ? 4 : 3;
  const lengths = new Uint8Array(symbols);
  for (let at = 0; at < symbols; ) {
    const value = bits.read(width);
    // A value of 1 starts a run. Two values of 1 mean a single length of 1.
    const length = value === 1 ? bits.read(width) : value;
    const count = value !== 1 || length === 1 ? 1 : bits.read(width) + 3;
    if (at + count > symbols) throw new RangeError('a Huffman code with too many symbols');
    lengths.fill(length, at, at + count);
    at += count;
  }
  return lengths;
}

/** Returns the lowest code of each length. Throws a RangeError if the lengths are impossible. */
function firstCodes(lengths: Uint8Array, maxBits: number): Uint32Array {
  const counts = new Uint32Array(maxBits + 1);
  for (const length of lengths) {
    if (length > maxBits) throw new RangeError('a Huffman code that is too long');
    counts[length] = (counts[length] as number) + 1;
  }
  const first = new Uint32Array(maxBits + 1);
  let start = 0;
  for (let length = maxBits; length > 0; length -= 1) {
    const end = start + (counts[length] as number);
    if (length > 1 ? end % 2 !== 0 : end > 2) throw new RangeError('no Huffman code');
    first[length] = start;
    start = end >> 1;
  }
  return first;
}
