/** Where what is protected starts, its parity P and its parity Q. */
const HEADER = 12;
const P = 2076;
const Q = 2248;
const END = 2352;
const MODE = 15;
const SYNC = Buffer.from('00ffffffffffffffffffff00', 'hex');

// Of 16-bit words, each two codes beside one another: P has columns of 24 words, Q diagonals of 43.
const P_COLUMNS = 43;
const P_WORDS = 24;
const P_AT = (P - HEADER) / 2;
const Q_DIAGONALS = 26;
const Q_WORDS = 43;
const Q_AT = (Q - HEADER) / 2;

const words = new Uint16Array((END - HEADER) / 2);
const bytes = new Uint8Array(words.buffer);

/**
 * Writes the sync pattern and the error correction (P and Q) of a raw sector of 2352 bytes. In mode 2 the address and
 * the mode count as zero.
 *
 * Source: ECMA-130, 14 (sync) and annex A: Reed-Solomon codes over GF(2^8) with x^8 + x^4 + x^3 + x^2 + 1.
 */
export function rebuildSector(sector: Uint8Array): void {
  sector.set(SYNC, 0);
  bytes.set(sector.subarray(HEADER, P));
  if (sector[MODE] === 2) bytes.fill(0, 0, 4);
  // two words at a time: the middle column is made twice
  for (let column = 0, other = 21; column < 22; column += 1, other += 1) {
    const parity = parityOf(column, other, P_COLUMNS, P_WORDS);
    write(P_AT + column, P_AT + other, P_COLUMNS, parity);
  }
  for (let diagonal = 0, other = 13; diagonal < 13; diagonal += 1, other += 1) {
    const parity = parityOf(diagonal * 43, other * 43, 44, Q_WORDS);
    write(Q_AT + diagonal, Q_AT + other, Q_DIAGONALS, parity);
  }
  sector.set(bytes.subarray(P - HEADER), P);
}

/** Of the two codes that `parityOf` was asked for last. */
let sum = 0;

/**
 * The first parity of the words that stand `stride` apart from `a` on, and in the upper half of those from `b` on; the
 * second is that and their `sum`. The two make the sum of a code zero, and the sum weighted with powers of two.
 */
function parityOf(a: number, b: number, stride: number, count: number): number {
  let weighted = 0;
  let all = 0;
  for (let i = 0, low = a, high = b; i < count; i += 1) {
    const pair = (words[low] as number) | ((words[high] as number) << 16);
    all ^= pair;
    weighted = doubled(weighted ^ pair);
    low += stride;
    if (low >= Q_AT) low -= Q_AT;
    high += stride;
    if (high >= Q_AT) high -= Q_AT;
  }
  sum = all;
  const mixed = doubled(weighted) ^ all;
  return (
    (third[mixed & 255] as number) |
    ((third[(mixed >> 8) & 255] as number) << 8) |
    ((third[(mixed >> 16) & 255] as number) << 16) |
    ((third[mixed >>> 24] as number) << 24)
  );
}

function write(low: number, high: number, count: number, parity: number): void {
  words[low] = parity;
  words[high] = parity >>> 16;
  words[low + count] = parity ^ sum;
  words[high + count] = (parity ^ sum) >>> 16;
}

/** Each of four bytes times two. */
function doubled(four: number): number {
  return ((four << 1) & 0xfefefefe) ^ Math.imul((four >>> 7) & 0x01010101, 0x1d);
}

/** Bytes divided by three, which is x + 1. */
const third = new Uint8Array(256);
for (let byte = 0; byte < 256; byte += 1) third[(doubled(byte) & 255) ^ byte] = byte;
