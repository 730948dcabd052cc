const MODULO = 65521;
/**
 * Number of bytes after which the sums are reduced modulo `MODULO`. Until then, no sum exceeds 32
 * bits. zlib uses the same number.
 */
const STEP = 5552;

/** Calculates the Adler-32 checksum (RFC 1950, section 8.2), which Node's zlib does not provide. */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let at = 0; at < bytes.length; ) {
    for (const end = Math.min(bytes.length, at + STEP); at < end; at += 1) {
      low += bytes[at] as number;
      high += low;
    }
    low %= MODULO;
    high %= MODULO;
  }
  return high * 65536 + low;
}
