/** The polynomial x^32 + x^31 + x^16 + x^15 + x^4 + x^3 + x + 1, its bits in reverse. */
const POLYNOMIAL = 0xd8018001;

const table = new Int32Array(256).map((_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
  return rest;
});

/**
 * The error detection code of a CD's sectors, going on from that of what stands before; as a signed number.
 *
 * Source: ECMA-130, 14.3.
 */
export function edc(bytes: Uint8Array, before = 0): number {
  let sum = before;
  for (let i = 0; i < bytes.length; i += 1) {
    sum = (sum >>> 8) ^ (table[(sum ^ (bytes[i] as number)) & 255] as number);
  }
  return sum;
}
