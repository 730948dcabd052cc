import {
  decodeBit,
  decodeDirectBits,
  decodeMatchedLiteral,
  decodeReverseTree,
  decodeTree,
  isPastEnd,
  resetProbabilities,
  startStream,
} from './range-coder.ts';

const STATES = 12;
const POSITIONS = 4;
const MIN_MATCH = 2;

// Offsets of the probabilities of each kind of choice. All probabilities are in one table.
const IS_MATCH = 0;
const IS_REP = IS_MATCH + STATES * POSITIONS;
const IS_REP_G0 = IS_REP + STATES;
const IS_REP_G1 = IS_REP_G0 + STATES;
const IS_REP_G2 = IS_REP_G1 + STATES;
const IS_REP0_LONG = IS_REP_G2 + STATES;
const SLOT = IS_REP0_LONG + STATES * POSITIONS;
const NEAR = SLOT + 4 * 64;
const ALIGNED = NEAR + 128;
const LENGTH = ALIGNED + 16;
const LENGTHS = 2 + 2 * POSITIONS * 8 + 256;
const REP_LENGTH = LENGTH + LENGTHS;
const LITERAL = REP_LENGTH + LENGTHS;
const LITERAL_SIZE = 0x300;

/**
 * Unpacks a raw LZMA stream to `size` bytes. A raw stream has no header and no end mark. The stream
 * must have the properties lc=3, lp=0 and pb=2. chdman writes such streams. Throws a RangeError if
 * the stream is damaged.
 *
 * Source: Igor Pavlov's "LZMA specification" (LZMA SDK).
 */
export function unpackLzma(packed: Uint8Array, size: number): Buffer {
  const out = Buffer.allocUnsafe(size);
  resetProbabilities();
  startStream(packed);
  if (continueLzma(out, 0, size, newDecoderState()) < size || isPastEnd()) {
    throw new RangeError('an LZMA stream that is cut');
  }
  return out;
}

/**
 * Like `unpackLzma`, but returns fewer bytes if the stream ends early, is truncated or is damaged.
 */
export function unpackLzmaUpTo(packed: Uint8Array, maxBytes: number): Buffer {
  const out = Buffer.alloc(maxBytes);
  resetProbabilities();
  startStream(packed);
  const memory = newDecoderState();
  try {
    return out.subarray(0, continueLzma(out, 0, maxBytes, memory));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return out.subarray(0, memory.done);
  }
}

/** The state at the end of a part of a stream. The next part continues with this state. */
export interface LzmaDecoderState {
  state: number;
  /** The distances of the last four copies, latest first. */
  distances: [number, number, number, number];
  /** Number of bytes in the output so far. */
  done: number;
}

export const newDecoderState = (): LzmaDecoderState => ({
  state: 0,
  distances: [1, 1, 1, 1],
  done: 0,
});

/** A copy with this distance means the end of the stream. */
const END_MARK = 2 ** 32;

/**
 * Unpacks into `out` from offset `start` until offset `size` or an end mark. Returns the offset at
 * which the output ends. Updates `memory`. Throws a RangeError if the stream is damaged.
 */
export function continueLzma(
  out: Buffer,
  start: number,
  size: number,
  memory: LzmaDecoderState,
): number {
  let { state } = memory;
  let last = start > 0 ? (out[start - 1] as number) : 0;
  let [distance, distance1, distance2, distance3] = memory.distances;
  let done = start;
  while (done < size) {
    const position = done & (POSITIONS - 1);
    if (decodeBit(IS_MATCH + state * POSITIONS + position) === 0) {
      const base = LITERAL + (last >> 5) * LITERAL_SIZE;
      last =
        state < 7
          ? decodeTree(base, 8)
          : decodeMatchedLiteral(base, out[done - distance] as number);
      out[done] = last;
      done += 1;
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
      continue;
    }
    let length = 1;
    if (decodeBit(IS_REP + state) === 0) {
      [distance1, distance2, distance3] = [distance, distance1, distance2];
      length = lengthOf(LENGTH, position);
      distance = distanceOf(length);
      if (distance === END_MARK) break;
      state = state < 7 ? 7 : 10;
    } else if (decodeBit(IS_REP_G0 + state) === 0) {
      const isLong = decodeBit(IS_REP0_LONG + state * POSITIONS + position) === 1;
      if (isLong) length = lengthOf(REP_LENGTH, position);
      state = (state < 7 ? 8 : 11) + (isLong || state >= 7 ? 0 : 1);
    } else {
      const again = repIndexOf(state);
      const chosen = again === 1 ? distance1 : again === 2 ? distance2 : distance3;
      if (again === 3) distance3 = distance2;
      if (again > 1) distance2 = distance1;
      distance1 = distance;
      distance = chosen;
      length = lengthOf(REP_LENGTH, position);
      state = state < 7 ? 8 : 11;
    }
    if (distance > done || length > size - done) {
      memory.done = done;
      throw new RangeError('a copy from outside');
    }
    // Copy byte by byte, because source and target may overlap: a distance of 1 repeats one byte.
    for (const end = done + length; done < end; done += 1)
      out[done] = out[done - distance] as number;
    last = out[done - 1] as number;
  }
  memory.state = state;
  memory.distances = [distance, distance1, distance2, distance3];
  memory.done = done;
  return done;
}

/**
 * Returns which of the three older distances is used again: 1, 2 or 3. 1 is the distance before the
 * last one.
 */
function repIndexOf(state: number): 1 | 2 | 3 {
  if (decodeBit(IS_REP_G1 + state) === 0) return 1;
  return decodeBit(IS_REP_G2 + state) === 0 ? 2 : 3;
}

function lengthOf(base: number, position: number): number {
  const low = base + 2 + position * 8;
  if (decodeBit(base) === 0) return MIN_MATCH + decodeTree(low, 3);
  if (decodeBit(base + 1) === 0) return MIN_MATCH + 8 + decodeTree(low + POSITIONS * 8, 3);
  return MIN_MATCH + 16 + decodeTree(base + 2 + 2 * POSITIONS * 8, 8);
}

/**
 * Reads a distance of up to 2^32. A slot states the two highest bits and the number of the
 * remaining bits. In long distances, the lowest four bits have their own probabilities.
 */
function distanceOf(length: number): number {
  const slot = decodeTree(SLOT + Math.min(length - MIN_MATCH, 3) * 64, 6);
  if (slot < 4) return slot + 1;
  const bits = (slot >> 1) - 1;
  const base = (2 | (slot & 1)) * 2 ** bits;
  if (slot < 14) return base + decodeReverseTree(NEAR + base - slot, bits) + 1;
  return base + decodeDirectBits(bits - 4) * 16 + decodeReverseTree(ALIGNED, 4) + 1;
}
