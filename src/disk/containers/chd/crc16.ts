const POLYNOMIAL = 0x1021;
const BLOCK = 64;

/**
 * Calculates the CRC-16 that CHDs use ("CCITT-FALSE"). The polynomial is 0x11021, the initial value
 * is 0xFFFF, and bits are not reflected.
 *
 * Modulo the polynomial, x^16 = x^12 + x^5 + 1. Squaring both sides five times gives x^512 = x^384
 * + x^160 + 1. A 32-bit word can therefore be replaced by three copies of the word: 4, 11 and 16
 * words later. In this way, everything before the last block of 16 words is folded into the last
 * block. Folding needs only exclusive ors of words, which are faster than tables.
 */
export function crc16(bytes: Uint8Array): number {
  const odd = bytes.length % BLOCK;
  const sum = byByte(bytes.subarray(0, odd), 0xffff);
  if (odd === bytes.length) return sum;
  const blocks = bytes.subarray(odd);
  const aligned = blocks.byteOffset % 4 === 0 ? blocks : new Uint8Array(blocks);
  // Add the checksum so far to the first two bytes of the remaining data.
  lastBytes.set([sum >> 8, sum & 255, 0, 0]);
  fold(new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4), last[0] as number);
  return byByte(lastBytes, 0);
}

const last = new Int32Array(BLOCK / 4);
const lastBytes = new Uint8Array(last.buffer);

/**
 * Writes a block to `last` that has the same checksum as all of `words`. `first` is added
 * (exclusive or) to the first word.
 */
function fold(words: Int32Array, first: number): void {
  // The variables contain the folded words of the previous block. Before the first block, `a` is
  // `first` and the others are 0.
  let a = first;
  let [b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const end = words.length - last.length;
  for (let at = 0; at < end; at += 16) {
    a ^= (words[at] as number) ^ m ^ f;
    b ^= (words[at + 1] as number) ^ n ^ g;
    c ^= (words[at + 2] as number) ^ o ^ h;
    d ^= (words[at + 3] as number) ^ p ^ i;
    e ^= (words[at + 4] as number) ^ a ^ j;
    f ^= (words[at + 5] as number) ^ b ^ k;
    g ^= (words[at + 6] as number) ^ c ^ l;
    h ^= (words[at + 7] as number) ^ d ^ m;
    i ^= (words[at + 8] as number) ^ e ^ n;
    j ^= (words[at + 9] as number) ^ f ^ o;
    k ^= (words[at + 10] as number) ^ g ^ p;
    l ^= (words[at + 11] as number) ^ h ^ a;
    m ^= (words[at + 12] as number) ^ i ^ b;
    n ^= (words[at + 13] as number) ^ j ^ c;
    o ^= (words[at + 14] as number) ^ k ^ d;
    p ^= (words[at + 15] as number) ^ l ^ e;
  }
  // Fold the words of earlier blocks into the last block. The last block's own words are added
  // below.
  last.set([a ^ f ^ m, b ^ g ^ n, c ^ h ^ o, d ^ i ^ p]);
  last.set([e ^ j, f ^ k, g ^ l, h ^ m, i ^ n, j ^ o, k ^ p, l, m, n, o, p], 4);
  for (let at = 0; at < last.length; at += 1) {
    last[at] = (last[at] as number) ^ (words[end + at] as number);
  }
}

function byByte(bytes: Uint8Array, start: number): number {
  let sum = start;
  for (const byte of bytes) sum = ((sum << 8) & 0xffff) ^ (table[(sum >> 8) ^ byte] as number);
  return sum;
}

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum << 1) ^ (sum & 0x8000 ? POLYNOMIAL : 0);
  return sum;
});
