// The range decoder of LZMA reads choices (bits). Each choice has a probability that adapts. The
// decoder's state is in module variables, which are faster than the fields of an object. Therefore
// only one stream can be read at a time.

/** Initial probability of every choice: 0 and 1 are equally likely. */
const EVEN_PROBABILITY = 1024;
const PROBABILITY_BITS = 11;
const ADAPTATION_SHIFT = 5;
const MIN_RANGE = 2 ** 24;

// Range and code are in an array, because V8 would allocate a variable with a number above 2^31 on
// the heap.
const state = new Uint32Array(2);
const RANGE = 0;
const CODE = 1;
let packed: Uint8Array = new Uint8Array(0);
let at = 0;
/**
 * Probabilities of all choices. Reading a choice changes its probability. LZMA needs 7,332
 * probabilities.
 */
const probabilities = new Uint16Array(8192);

/** Resets the probabilities of all choices. */
export function resetProbabilities(): void {
  probabilities.fill(EVEN_PROBABILITY);
}

/** Starts reading a stream. The probabilities keep their values. */
export function startStream(stream: Uint8Array): void {
  packed = stream;
  state[RANGE] = 0xffffffff;
  state[CODE] = 0;
  // The stream starts with five bytes for the code. The first byte is always 0, so four bytes
  // remain.
  for (at = 0; at < 5; at += 1) state[CODE] = ((state[CODE] as number) << 8) | (packed[at] ?? 0);
}

/** Returns true if the decoder read past the end of the stream. */
export function isPastEnd(): boolean {
  return at > packed.length;
}

/** Reads one choice with the probability at `index`. Returns 0 or 1. */
export function decodeBit(index: number): number {
  const chance = probabilities[index] as number;
  const range = state[RANGE] as number;
  const code = state[CODE] as number;
  const bound = Math.imul(range >>> PROBABILITY_BITS, chance) >>> 0;
  if (code < bound) {
    probabilities[index] = chance + ((2 ** PROBABILITY_BITS - chance) >> ADAPTATION_SHIFT);
    normalize(bound, code);
    return 0;
  }
  probabilities[index] = chance - (chance >> ADAPTATION_SHIFT);
  normalize((range - bound) >>> 0, (code - bound) >>> 0);
  return 1;
}

/**
 * Reads a number of `bits` bits, highest bit first. The probabilities start at index `base`. The
 * preceding bits of the number select the probability of each bit.
 */
export function decodeTree(base: number, bits: number): number {
  const end = 1 << bits;
  let node = 1;
  let range = state[RANGE] as number;
  let code = state[CODE] as number;
  while (node < end) {
    const chance = probabilities[base + node] as number;
    const bound = Math.imul(range >>> PROBABILITY_BITS, chance) >>> 0;
    if (code < bound) {
      probabilities[base + node] = chance + ((2 ** PROBABILITY_BITS - chance) >> ADAPTATION_SHIFT);
      range = bound;
      node <<= 1;
    } else {
      probabilities[base + node] = chance - (chance >> ADAPTATION_SHIFT);
      range = (range - bound) >>> 0;
      code = (code - bound) >>> 0;
      node = (node << 1) | 1;
    }
    if (range < MIN_RANGE) {
      range = (range << 8) >>> 0;
      code = ((code << 8) | (packed[at] as number)) >>> 0;
      at += 1;
    }
  }
  state[RANGE] = range;
  state[CODE] = code;
  return node - end;
}

/**
 * Reads a byte that follows a copy. `copied` is the byte that a longer copy would have copied.
 * While the bits read so far equal those of `copied`, the next bit has separate probabilities.
 */
export function decodeMatchedLiteral(base: number, copied: number): number {
  let node = 1;
  let own = 0x100;
  let range = state[RANGE] as number;
  let code = state[CODE] as number;
  for (let left = copied << 1; node < 256; left <<= 1) {
    const expected = left & own;
    const index = base + own + expected + node;
    const chance = probabilities[index] as number;
    const bound = Math.imul(range >>> PROBABILITY_BITS, chance) >>> 0;
    if (code < bound) {
      probabilities[index] = chance + ((2 ** PROBABILITY_BITS - chance) >> ADAPTATION_SHIFT);
      range = bound;
      node <<= 1;
      own &= ~expected;
    } else {
      probabilities[index] = chance - (chance >> ADAPTATION_SHIFT);
      range = (range - bound) >>> 0;
      code = (code - bound) >>> 0;
      node = (node << 1) | 1;
      own &= expected;
    }
    if (range < MIN_RANGE) {
      range = (range << 8) >>> 0;
      code = ((code << 8) | (packed[at] as number)) >>> 0;
      at += 1;
    }
  }
  state[RANGE] = range;
  state[CODE] = code;
  return node - 256;
}

/** Like `decodeTree`, but reads the lowest bit first. */
export function decodeReverseTree(base: number, bits: number): number {
  let node = 1;
  let value = 0;
  for (let i = 0; i < bits; i += 1) {
    const chosen = decodeBit(base + node);
    node = (node << 1) | chosen;
    value |= chosen << i;
  }
  return value;
}

/**
 * Reads a number of `bits` bits, at most 26. Both values of each bit are equally likely, so no
 * probabilities are used.
 */
export function decodeDirectBits(bits: number): number {
  let value = 0;
  for (let i = 0; i < bits; i += 1) {
    const range = (state[RANGE] as number) >>> 1;
    const code = state[CODE] as number;
    const chosen = code < range ? 0 : 1;
    normalize(range, chosen === 0 ? code : code - range);
    value = (value << 1) | chosen;
  }
  return value;
}

function normalize(range: number, code: number): void {
  if (range >= MIN_RANGE) {
    state[RANGE] = range;
    state[CODE] = code;
    return;
  }
  state[RANGE] = range << 8;
  state[CODE] = (code << 8) | (packed[at] as number);
  at += 1;
}
