import type { ConvertPicture } from '../core/exports/ports.ts';
import { loadSharp, type Sharp } from './load-sharp.ts';
import { maxPixels, maxSeconds } from './shrink-image.ts';

/** sharp's names of the formats of pictures in exports. */
const formats = { png: 'png', jpg: 'jpeg' } as const;

/**
 * Implements `ConvertPicture` with libvips. A picture that already has the format and fits is
 * returned as it is. Returns null for the pictures that `shrinkImage` refuses.
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

/** A JPEG has no transparency, so the picture gets a white ground. */
function asJpeg(picture: ReturnType<Sharp>): ReturnType<Sharp> {
  return picture.flatten({ background: '#fff' }).jpeg({ quality: 88 });
}

function open(sharp: Sharp, bytes: Uint8Array): ReturnType<Sharp> {
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
}
