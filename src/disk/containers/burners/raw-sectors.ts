import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, MAX_READ, readUpTo } from '../../image-bytes.ts';

const USER_DATA = 2048;
const SYNC = Buffer.from('00ffffffffffffffffffff00', 'hex');

/**
 * The length of a sector, and the position of the 2048 bytes of user data in the sector. Both
 * fields are in bytes.
 */
export interface SectorForm {
  readonly sector: number;
  /** Offset of the user data in the sector. */
  readonly skip: number;
}

/**
 * Determines the sector form of a raw image from the image's first bytes. Returns null if these
 * bytes are not the sync pattern. User data starts at byte 16 in mode 1, and at byte 24 in mode 2
 * form 1.
 *
 * Sources: ECMA-130, section 14 (sync, 3-byte address, mode byte); CD-ROM XA (8-byte subheader).
 */
export function rawForm(head: Buffer): SectorForm | null {
  if (head.length < 16 || !head.subarray(0, 12).equals(SYNC)) return null;
  return { sector: 2352, skip: head[15] === 2 ? 24 : 16 };
}

/** Size in bytes of a raw sector (2352) with its subchannels (96). */
export const WITH_SUBCHANNELS = 2448;

/**
 * Returns true if subchannels follow each sector of a raw image. The sync pattern of the second
 * sector is then at 2448 instead of 2352.
 */
export async function hasSubchannels(image: ImageBytes): Promise<boolean> {
  if (image.size < 2 * WITH_SUBCHANNELS || image.size % WITH_SUBCHANNELS !== 0) return false;
  const bytes = await image.read(2352, WITH_SUBCHANNELS - 2352 + SYNC.length);
  return bytes.subarray(-SYNC.length).equals(SYNC) && !bytes.subarray(0, SYNC.length).equals(SYNC);
}

/**
 * Returns the user data of a raw image as an image with 2048-byte sectors. Returns null if the
 * image is not raw.
 */
export async function openRaw(image: ImageBytes): Promise<ImageBytes | null> {
  const form = rawForm(await readUpTo(image, 0, 16));
  return form && userData(image, form);
}

/** Returns the user data of all complete sectors, back to back, as an image. */
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
