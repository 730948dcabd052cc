import type { ShrinkImage } from '../core/covers/ports.ts';
import { loadSharp, type Sharp } from './load-sharp.ts';

/** Maximum number of pixels of a picture. Larger pictures are not read. */
export const maxPixels = 64_000_000;
/** Time limit for one picture, in seconds. sharp accepts only whole seconds. */
export const maxSeconds = 10;
/** Maximum height of a WebP picture, in pixels (RFC 9649, 2.7). */
const maxHeight = 16_383;
/**
 * Number of pixels above which a picture counts as large. Reading a large picture takes up to 600
 * MB of memory (interlaced, 16 bits).
 */
const largePixels = 16_000_000;

/**
 * Implements `ShrinkImage` with libvips, on threads. Accepts JPEG, PNG, WebP and GIF. Returns
 * 'large' for a picture above `largePixels`, unless `evenIfLarge` is true. Returns null for
 * truncated files, for pictures over 64 megapixels, and for pictures that take over 10 s.
 */
export const shrinkImage: ShrinkImage = shrinkImageWithin(maxSeconds);

/** Returns a function like `shrinkImage` with a time limit of `seconds` seconds. */
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

/**
 * Returns the number of pixels that the picture's header states. Throws if the header is invalid or
 * missing.
 */
async function pixelsOf(sharp: Sharp, bytes: Uint8Array): Promise<number> {
  const { width, height } = await open(sharp, bytes).metadata();
  return width * height;
}

function shrink(picture: Picture, width: number): Promise<Uint8Array> {
  return picture
    .autoOrient()
    .resize({ width, height: maxHeight, fit: 'inside', withoutEnlargement: true })
    .webp()
    .toBuffer();
}

type Picture = ReturnType<Sharp>;

function open(sharp: Sharp, bytes: Uint8Array): Picture {
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
}
