import { checkRange, type ImageBytes } from '../../image-bytes.ts';
import { FRAME } from './cd-codecs.ts';
import type { Chd } from './open-chd.ts';
import type { ChdTrack } from './tracks.ts';

/** The image in a CHD that is no CD. */
export function wholeImage(chd: Chd): ImageBytes {
  return piecewise(chd, { size: chd.size, first: 0, unit: 1, stride: 1 });
}

/** A track as dumps have it: whole sectors one behind the other, of sound the low byte of each sample first. */
export function trackImage(chd: Chd, track: ChdTrack): ImageBytes {
  const image = piecewise(chd, {
    size: track.frames * track.sector,
    first: track.first,
    unit: track.sector,
    stride: FRAME,
  });
  return track.isAudio ? swapped(image) : image;
}

/** Pieces of `unit` bytes that start `stride` bytes apart, from number `first` on. */
function piecewise(
  chd: Chd,
  { size, first, unit, stride }: { size: number; first: number; unit: number; stride: number },
): ImageBytes {
  return {
    size,
    async read(offset, length) {
      checkRange({ size }, offset, length);
      const out = Buffer.allocUnsafe(length);
      for (let done = 0; done < length; ) {
        const into = (offset + done) % unit;
        const at = (first + (offset + done - into) / unit) * stride + into;
        const index = Math.floor(at / chd.hunkBytes);
        const hunk = await chd.hunk(index);
        let from = at - index * chd.hunkBytes;
        if (unit === stride) {
          done += hunk.copy(out, done, from);
          continue;
        }
        // piece after piece of this hunk
        let left = unit - into;
        while (done < length && from < hunk.length) {
          done += hunk.copy(out, done, from, from + Math.min(left, length - done));
          from += left + stride - unit;
          left = unit;
        }
      }
      return out;
    },
  };
}

function swapped(image: ImageBytes): ImageBytes {
  return {
    size: image.size,
    async read(offset, length) {
      checkRange(image, offset, length);
      // whole samples around what is asked for
      const skipped = offset % 2;
      const bytes = await image.read(offset - skipped, length + skipped + ((length + skipped) % 2));
      return bytes.swap16().subarray(skipped, skipped + length);
    },
  };
}
