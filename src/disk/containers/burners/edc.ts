/** The polynomial x^32 + x^31 + x^16 + x^15 + x^4 + x^3 + x + 1, in reversed bit order. */
const POLYNOMIAL = 0xd8018001;

const table = new Int32Array(256).map((_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
  return rest;
});

/**
 * Calculates the error detection code (EDC) of CD sectors, as a signed 32-bit number. To continue a
 * calculation, pass the EDC of the preceding bytes as `before`.
 *
 * Source: ECMA-130, section 14.3.
 */
export function edc(bytes: Uint8Array, before = 0): number {
  let sum = before;
  for (let i = 0; i < bytes.length; i += 1) {
    sum = (sum >>> 8) ^ (table[(sum ^ (bytes[i] as number)) & 255] as number);
  }
  return sum;
}
