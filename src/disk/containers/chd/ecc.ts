/** Offsets in a sector: the protected data, the parity P, the parity Q, and the end. */
const HEADER = 12;
const P = 2076;
const Q = 2248;
const END = 2352;
const MODE = 15;
const SYNC = Buffer.from('00ffffffffffffffffffff00', 'hex');

// The data is a table of 16-bit words, with 24 rows of 43 words. P protects the 43 columns. The
// parity words of P form two more rows. Q protects these 26 rows, in diagonals of 43 words. Each
// word of a diagonal is 44 words after the previous word.
const COLUMNS = 43;
const ROWS = 24;
const P_AT = (P - HEADER) / 2;
const DIAGONALS = 26;
const Q_AT = (Q - HEADER) / 2;
const Q_BYTES = Q - HEADER;

const bytes = new Uint8Array(END - HEADER);
const words = new Uint16Array(bytes.buffer);
// Two views of the sector that read two words at a time. `even` starts at an even word, `odd` at an
// odd word. `odd` repeats the sector after its end, because diagonals wrap around.
const even = new Int32Array(bytes.buffer);
const odd = new Int32Array((3 * Q_BYTES) / 4 + 2);
const oddBytes = new Uint8Array(odd.buffer);
// Create the views below only once, because a disc has hundreds of thousands of sectors.
const data = bytes.subarray(0, P - HEADER);
const dataFromOdd = bytes.subarray(2, P - HEADER);
const all = bytes.subarray(0, Q_BYTES);
const allFromOdd = bytes.subarray(2, Q_BYTES);
const parity = bytes.subarray(P - HEADER);

/**
 * Calculates the sync pattern and the error correction (P and Q) of the raw sector at `start`, and
 * writes them to the sector. In mode 2, the calculation uses zeros instead of the address and the
 * mode.
 *
 * Source: ECMA-130, section 14 (sync) and annex A (Reed-Solomon codes over GF(2^8) with x^8 + x^4 +
 * x^3 + x^2 + 1).
 */
export function rebuildSector(sectors: Uint8Array, start = 0): void {
  sectors.set(SYNC, start);
  data.set(sectors.subarray(start + HEADER, start + P));
  if (sectors[start + MODE] === 2) data.fill(0, 0, 4);
  oddBytes.set(dataFromOdd);
  // Calculate two pairs of columns at a time, so that the processor can overlap the two
  // calculations. Within one column, each step depends on the previous step.
  for (let pair = 0; pair < 11; pair += 1) addColumns(pair, pair + 11);
  oddBytes.set(allFromOdd);
  oddBytes.set(all, Q_BYTES - 2);
  oddBytes.set(all, 2 * Q_BYTES - 2);
  // The 13 pairs of diagonals are divided into the ranges 0 to 6 and 6 to 12. The ranges overlap,
  // so pair 6 is calculated twice.
  for (let pair = 0; pair < 7; pair += 1) addDiagonals(pair, pair + 6);
  sectors.set(parity, start + P);
}

/**
 * Writes the parity of the columns 2a, 2a + 1, 2b and 2b + 1. Skips column 43, which does not
 * exist.
 */
function addColumns(a: number, b: number): void {
  let sumA = 0;
  let sumB = 0;
  let weightedA = 0;
  let weightedB = 0;
  for (let row = 0, atA = a, atB = b; row < ROWS; row += 2, atA += COLUMNS, atB += COLUMNS) {
    const upperA = even[atA] as number;
    const upperB = even[atB] as number;
    const lowerA = odd[atA + 21] as number;
    const lowerB = odd[atB + 21] as number;
    sumA ^= upperA ^ lowerA;
    sumB ^= upperB ^ lowerB;
    weightedA = doubled(doubled(weightedA ^ upperA) ^ lowerA);
    weightedB = doubled(doubled(weightedB ^ upperB) ^ lowerB);
  }
  const parityB = parityOf(sumB, weightedB);
  write(P_AT + 2 * b, COLUMNS, parityB, sumB);
  if (2 * b + 1 < COLUMNS) write(P_AT + 2 * b + 1, COLUMNS, parityB >>> 16, sumB >>> 16);
  const parityA = parityOf(sumA, weightedA);
  write(P_AT + 2 * a, COLUMNS, parityA, sumA);
  write(P_AT + 2 * a + 1, COLUMNS, parityA >>> 16, sumA >>> 16);
}

/**
 * Writes the parity of the diagonals 2a, 2a + 1, 2b and 2b + 1. Diagonals 2a and 2a + 1 are
 * calculated together, because each word of diagonal 2a + 1 is next to a word of diagonal 2a.
 * Diagonal 2a is one step ahead.
 */
function addDiagonals(a: number, b: number): void {
  let sumA = (words[2 * a * 43] as number) << 16;
  let sumB = (words[2 * b * 43] as number) << 16;
  let weightedA = doubled(sumA);
  let weightedB = doubled(sumB);
  let atA = 43 * a + 21;
  let atB = 43 * b + 21;
  for (let step = 1; step < 43; step += 1, atA += 22, atB += 22) {
    const pairA = odd[atA] as number;
    const pairB = odd[atB] as number;
    sumA ^= pairA;
    sumB ^= pairB;
    weightedA = doubled(weightedA ^ pairA);
    weightedB = doubled(weightedB ^ pairB);
  }
  endDiagonals(a, sumA, weightedA, odd[atA] as number);
  endDiagonals(b, sumB, weightedB, odd[atB] as number);
}

/**
 * Finishes a pair of diagonals and writes their parity. Diagonal 2 * pair + 1 has one step left.
 */
function endDiagonals(pair: number, sum: number, weighted: number, last: number): void {
  const word = last & 0xffff;
  const ended = (weighted & ~0xffff) | (doubled((weighted ^ word) & 0xffff) & 0xffff);
  const first = parityOf(sum ^ word, ended);
  write(Q_AT + 2 * pair + 1, DIAGONALS, first, sum ^ word);
  write(Q_AT + 2 * pair, DIAGONALS, first >>> 16, sum >>> 16);
}

/**
 * Writes the two parity words of a code. The second word is `first` plus `sum` (exclusive or). The
 * plain sum and the weighted sum of the complete code are then zero. The weights are powers of two.
 */
function write(at: number, count: number, first: number, sum: number): void {
  words[at] = first;
  words[at + count] = first ^ sum;
}

function parityOf(sum: number, weighted: number): number {
  const mixed = doubled(weighted) ^ sum;
  return (
    (third[mixed & 255] as number) |
    ((third[(mixed >> 8) & 255] as number) << 8) |
    ((third[(mixed >> 16) & 255] as number) << 16) |
    ((third[mixed >>> 24] as number) << 24)
  );
}

/** Multiplies each of four bytes by two in GF(2^8). */
function doubled(four: number): number {
  return ((four << 1) & 0xfefefefe) ^ Math.imul((four >>> 7) & 0x01010101, 0x1d);
}

/** For each byte, the quotient of the byte and three (x + 1) in GF(2^8). */
const third = new Uint8Array(256);
for (let byte = 0; byte < 256; byte += 1) third[(doubled(byte) & 255) ^ byte] = byte;
