import type { ConvertPicture } from '../core/exports/ports.ts';
import { loadSharp, type Sharp } from './load-sharp.ts';
import { maxPixels, maxSeconds } from './shrink-image.ts';

/** Names in sharp of the picture formats of exports. */
const formats = { png: 'png', jpg: 'jpeg' } as const;

/**
 * Implements `ConvertPicture` with libvips. Returns a picture unchanged if it already has the
 * format, is small enough and needs no rotation. Returns null for a picture that cannot be read,
 * has more than `maxPixels` pixels, or takes more than `maxSeconds` seconds.
 */
export const convertPicture: ConvertPicture = async (bytes, to) => {
  const sharp = await loadSharp();
  try {
    const picture = open(sharp, bytes);
    const { format, width, height, orientation = 1 } = await picture.metadata();
    const fits = width <= to.maxWidth && height <= to.maxHeight;
    if (fits && format === formats[to.format] && orientation === 1) return bytes;
    const reduced = open(sharp, bytes).timeout({ seconds: maxSeconds }).autoOrient().resize({
      width: to.maxWidth,
      height: to.maxHeight,
      fit: 'inside',
      withoutEnlargement: true,
    });
    return await (to.format === 'png' ? reduced.png() : asJpeg(reduced)).toBuffer();
  } catch {
    return null; // libvips reports unreadable input in many ways
  }
};

/** Converts a picture to JPEG. Transparent areas become white, because JPEG has no transparency. */
function asJpeg(picture: ReturnType<Sharp>): ReturnType<Sharp> {
  return picture.flatten({ background: '#fff' }).jpeg({ quality: 88 });
}

function open(sharp: Sharp, bytes: Uint8Array): ReturnType<Sharp> {
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
}
