const MIN_MATCH = 4;

/**
 * Unpacks the first `size` bytes of an LZ4 block. Returns fewer bytes if the block is shorter.
 * Ignores padding after the block. Throws a RangeError if the block refers to bytes outside of
 * itself.
 *
 * Source: github.com/lz4/lz4 `doc/lz4_Block_format.md`. A block consists of sequences. Each
 * sequence has these parts:
 * - a token with two lengths of four bits each: the number of literals, and the length of the copy
 *   minus 4;
 * - the literals;
 * - a u16, little-endian: the distance back to the bytes to copy.
 *
 * A length of 15 in the token continues in the next bytes.
 */
export function unpackLz4(packed: Buffer, size: number): Buffer {
  const out = Buffer.allocUnsafe(size);
  let at = 0;
  let done = 0;

  function lengthFrom(bits: number): number {
    let length = bits;
    if (bits < 15) return length;
    for (let more = 255; more === 255; at += 1) {
      more = packed[at] ?? outside();
      length += more;
    }
    return length;
  }

  while (at < packed.length && done < size) {
    const token = packed[at] ?? 0;
    at += 1;
    const literals = lengthFrom(token >> 4);
    const copied = packed.copy(out, done, at, Math.min(at + literals, packed.length));
    done += copied;
    at += literals;
    if (done === size || at === packed.length) break;
    if (copied < literals || at + 2 > packed.length) outside();
    const distance = packed.readUInt16LE(at);
    at += 2;
    if (distance === 0 || distance > done) outside();
    const end = Math.min(done + lengthFrom(token & 15) + MIN_MATCH, size);
    // Copy byte by byte, because source and target may overlap: a distance of 1 repeats one byte.
    for (; done < end; done += 1) out[done] = out[done - distance] ?? 0;
  }
  return out.subarray(0, done);
}

function outside(): never {
  throw new RangeError('an LZ4 block points outside itself');
}
