import { sha1 } from './header.ts';

const SHA1 = 20;

/**
 * Unpacks data that is packed with PURGE to `maxBytes` bytes. PURGE stores pieces with their
 * offsets, and omits the zeros between the pieces. The pieces begin at offset `start` of `stored`.
 * The last 20 bytes of `stored` are the SHA-1 of all bytes before them. Throws a RangeError if the
 * SHA-1 differs or a piece does not fit.
 *
 * Source: dolphin-emu/dolphin `docs/WiaAndRvz.md`, `wia_segment_t`.
 */
export function unpackPurge(stored: Buffer, start: number, maxBytes: number): Buffer {
  const end = stored.length - SHA1;
  if (end < start || !sha1(stored.subarray(0, end)).equals(stored.subarray(end))) {
    throw new RangeError('a group that is not what it was');
  }
  const out = Buffer.alloc(maxBytes);
  for (let at = start; at + 8 <= end; ) {
    const offset = stored.readUInt32BE(at);
    const size = stored.readUInt32BE(at + 4);
    if (size > end - at - 8 || offset + size > maxBytes)
      throw new RangeError('a piece from outside');
    stored.copy(out, offset, at + 8, at + 8 + size);
    at += 8 + size;
  }
  return out;
}
