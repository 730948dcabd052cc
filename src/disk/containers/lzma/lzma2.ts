import { continueLzma, newDecoderState } from './lzma.ts';
import { isPastEnd, resetProbabilities, startStream } from './range-coder.ts';

/**
 * The properties lc=3, lp=0, pb=2. No others are supported, because every program uses these
 * properties by default.
 */
const PROPERTIES = 0x5d;

/**
 * Unpacks LZMA2 chunks to at most `maxBytes` bytes. Returns fewer bytes if the end mark comes
 * earlier. Throws a RangeError if the chunks are damaged or have properties other than
 * `PROPERTIES`.
 *
 * Source: the XZ utils' and Igor Pavlov's descriptions of LZMA2. Each chunk starts with a control
 * byte:
 * - 0: end of the chunks;
 * - 1: an uncompressed chunk, before which the dictionary is reset;
 * - 2: an uncompressed chunk without a reset;
 * - 0x80 or more: an LZMA chunk.
 *
 * An uncompressed chunk has its size minus 1 (u16, big-endian) after the control byte. An LZMA
 * chunk has these parts:
 * - the low five bits of the control byte and a u16, big-endian: the unpacked size minus 1;
 * - a u16, big-endian: the packed size minus 1;
 * - a byte with the new properties, if the properties are reset;
 * - the packed data.
 *
 * Bits 5 and 6 of the control byte state what is reset: 1 means the state, 2 also the properties, 3
 * also the dictionary.
 */
export function unpackLzma2(packed: Uint8Array, maxBytes: number): Buffer {
  const out = Buffer.alloc(maxBytes);
  let memory = newDecoderState();
  let done = 0;
  for (let at = 0; done < maxBytes; ) {
    const control = packed[at] ?? 0;
    if (control === 0) break;
    const two = (from: number) => ((packed[from] ?? 0) << 8) | (packed[from + 1] ?? 0);
    if (control < 0x80) {
      const size = two(at + 1) + 1;
      if (control > 2 || at + 3 + size > packed.length)
        throw new RangeError('a stored LZMA2 chunk');
      const some = Math.min(size, maxBytes - done);
      out.set(packed.subarray(at + 3, at + 3 + some), done);
      done += some;
      at += 3 + size;
      continue;
    }
    const size = ((control & 0x1f) << 16) + two(at + 1) + 1;
    const packedSize = two(at + 3) + 1;
    const anew = (control >> 5) & 3;
    if (anew >= 2 && packed[at + 5] !== PROPERTIES) throw new RangeError('an LZMA2 chunk');
    if (anew >= 1) {
      resetProbabilities();
      memory = newDecoderState();
    }
    const start = at + (anew >= 2 ? 6 : 5);
    startStream(packed.subarray(start, start + packedSize));
    const end = Math.min(done + size, maxBytes);
    if (continueLzma(out, done, end, memory) < end || isPastEnd()) {
      throw new RangeError('an LZMA2 chunk that is cut');
    }
    done = end;
    at = start + packedSize;
  }
  return out.subarray(0, done);
}
