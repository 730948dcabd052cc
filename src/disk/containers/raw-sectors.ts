import { refused } from '../../core/shared/errors.ts';
import { type ImageBytes, MAX_READ, readUpTo } from '../image-bytes.ts';

const USER_DATA = 2048;
const SYNC = Buffer.from('00ffffffffffffffffffff00', 'hex');

/** Where the 2048 bytes of user data are in a sector. */
export interface SectorForm {
  readonly sector: number;
  /** Offset of the user data in its sector. */
  readonly skip: number;
}

/**
 * Returns the form of a raw image, from its first sector; null when that does not start with the
 * sync pattern.
 *
 * Source: ECMA-130, 14 (sync, 3-byte address, mode byte) and CD-ROM XA's 8-byte subheader: user
 * data at 16 in mode 1, at 24 in mode 2 form 1.
 */
export function rawForm(head: Buffer): SectorForm | null {
  if (head.length < 16 || !head.subarray(0, 12).equals(SYNC)) return null;
  return { sector: 2352, skip: head[15] === 2 ? 24 : 16 };
}

/** Bytes of a sector with 96 bytes of subchannels. */
export const WITH_SUBCHANNELS = 2448;

/**
 * Returns whether the second sector of a raw image begins where it would if subchannels followed
 * each sector.
 */
export async function hasSubchannels(image: ImageBytes): Promise<boolean> {
  if (image.size < 2 * WITH_SUBCHANNELS || image.size % WITH_SUBCHANNELS !== 0) return false;
  const bytes = await image.read(2352, WITH_SUBCHANNELS - 2352 + SYNC.length);
  return bytes.subarray(-SYNC.length).equals(SYNC) && !bytes.subarray(0, SYNC.length).equals(SYNC);
}

/**
 * Returns the user data of every sector as one image with 2048-byte sectors; null when the image is
 * not raw.
 */
export async function openRaw(image: ImageBytes): Promise<ImageBytes | null> {
  const form = rawForm(await readUpTo(image, 0, 16));
  return form && userData(image, form);
}

/** Returns the user data of every complete sector, back to back. */
export function userData(image: ImageBytes, form: SectorForm): ImageBytes {
  const perRead = Math.floor(MAX_READ / form.sector);
  const size = Math.floor(image.size / form.sector) * USER_DATA;
  return {
    size,
    async read(offset, length) {
      if (offset + length > size || length > MAX_READ) {
        throw refused(`it is cut: ${length} bytes at ${offset} of ${size} are missing`);
      }
      const parts: Buffer[] = [];
      const end = Math.ceil((offset + length) / USER_DATA);
      for (let at = Math.floor(offset / USER_DATA); at < end; at += perRead) {
        const count = Math.min(perRead, end - at);
        const sectors = await image.read(at * form.sector, count * form.sector);
        for (let start = form.skip; start < sectors.length; start += form.sector) {
          parts.push(sectors.subarray(start, start + USER_DATA));
        }
      }
      const skipped = offset % USER_DATA;
      return Buffer.concat(parts).subarray(skipped, skipped + length);
    },
  };
}
