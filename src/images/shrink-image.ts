import type { ShrinkImage } from '../core/covers/ports.ts';
import { loadSharp, type Sharp } from './load-sharp.ts';

const mostPixels = 64_000_000;
/** Time limit for one picture, in whole seconds. */
export const mostSeconds = 10;
/** Maximum height of a WebP picture (RFC 9649, 2.7), in pixels. */
const mostHeight = 16_383;
/** Pictures with more pixels take up to 600 MB while they are read (interlaced, 16 bits). */
const largePixels = 16_000_000;

/**
 * `ShrinkImage` by libvips, on threads. Accepts JPEG, PNG, WebP and GIF. Truncated files are not
 * accepted, nor pictures over 64 megapixels or that take over 10 s.
 */
export const shrinkImage: ShrinkImage = shrinkImageWithin(mostSeconds);

/** Returns the same with a different time limit. */
export function shrinkImageWithin(seconds: number): ShrinkImage {
  return async (bytes, width, { evenIfLarge }) => {
    const sharp = await loadSharp();
    try {
      if (!evenIfLarge && (await pixelsOf(sharp, bytes)) > largePixels) return 'large';
      return await shrink(open(sharp, bytes).timeout({ seconds }), width);
    } catch {
      return null; // libvips reports unreadable input in many ways
    }
  };
}

/** Returns the number of pixels according to the picture's header. Throws if there is none. */
async function pixelsOf(sharp: Sharp, bytes: Uint8Array): Promise<number> {
  const { width, height } = await open(sharp, bytes).metadata();
  return width * height;
}

function shrink(picture: Picture, width: number): Promise<Uint8Array> {
  return picture
    .autoOrient()
    .resize({ width, height: mostHeight, fit: 'inside', withoutEnlargement: true })
    .webp()
    .toBuffer();
}

type Picture = ReturnType<Sharp>;

function open(sharp: Sharp, bytes: Uint8Array): Picture {
  return sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' });
}
