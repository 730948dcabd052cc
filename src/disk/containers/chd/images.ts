import { checkRange, type ImageBytes } from '../../image-bytes.ts';
import { FRAME } from './cd-codecs.ts';
import type { Chd } from './open-chd.ts';
import type { ChdTrack } from './tracks.ts';

/** Returns the whole content of a CHD as one image. The CHD must not contain a CD. */
export function wholeImage(chd: Chd): ImageBytes {
  return piecewise(chd, { size: chd.size, first: 0, unit: 1, stride: 1 });
}

/**
 * Returns a track in the form in which dumps store it: all sectors back to back, without
 * subchannels. The bytes of audio samples are swapped, because dumps store the low byte first.
 */
export function trackImage(chd: Chd, track: ChdTrack): ImageBytes {
  const image = piecewise(chd, {
    size: track.frames * track.sector,
    first: track.first,
    unit: track.sector,
    stride: FRAME,
  });
  return track.isAudio ? swapped(image) : image;
}

/**
 * Returns an image that joins the first `unit` bytes of every `stride` bytes of the CHD. The image
 * starts at stride number `first` and has `size` bytes.
 */
function piecewise(
  chd: Chd,
  { size, first, unit, stride }: { size: number; first: number; unit: number; stride: number },
): Required<ImageBytes> {
  const image = {
    size,
    async read(offset: number, length: number): Promise<Buffer> {
      checkRange({ size }, offset, length);
      const out = Buffer.allocUnsafe(length);
      await image.readInto(out, offset);
      return out;
    },
    async readInto(out: Buffer, offset: number): Promise<void> {
      checkRange({ size }, offset, out.length);
      for (let done = 0; done < out.length; ) {
        const into = (offset + done) % unit;
        const at = (first + (offset + done - into) / unit) * stride + into;
        const index = Math.floor(at / chd.hunkBytes);
        let from = at - index * chd.hunkBytes;
        await chd.hunk(index, (hunk) => {
          if (unit === stride) {
            done += hunk.copy(out, done, from);
            return;
          }
          // Copy the remaining units in this hunk, and skip the bytes between units.
          let left = unit - into;
          while (done < out.length && from < hunk.length) {
            done += hunk.copy(out, done, from, from + Math.min(left, out.length - done));
            from += left + stride - unit;
            left = unit;
          }
        });
      }
    },
  };
  return image;
}

function swapped(source: Required<ImageBytes>): ImageBytes {
  const image = {
    size: source.size,
    async read(offset: number, length: number): Promise<Buffer> {
      checkRange(source, offset, length);
      // Samples have two bytes. Read complete samples around the requested bytes, because swapping
      // needs both bytes.
      const skipped = offset % 2;
      const whole = length + skipped + ((length + skipped) % 2);
      const bytes = await source.read(offset - skipped, whole);
      return bytes.swap16().subarray(skipped, skipped + length);
    },
    async readInto(out: Buffer, offset: number): Promise<void> {
      if (offset % 2 !== 0 || out.length % 2 !== 0) {
        (await image.read(offset, out.length)).copy(out);
        return;
      }
      await source.readInto(out, offset);
      out.swap16();
    },
  };
  return image;
}
