import { refused } from '../../core/shared/errors.ts';
import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo, statedSize } from '../image-bytes.ts';

const HEADER = 124;
const VERSION = 5;
/** A CD's sector with its subchannel; `createcd` pads tracks, so its SHA-1 is of no file outside. */
const CD_UNIT = 2448;

/**
 * Reads the header of a CHD of version 5. Throws a refused `CatalogError` for other versions and damage.
 *
 * Source: mamedev/mame `src/lib/util/chd.h`: header length at 8, version at 12, first codec at 16, size of the image at
 * 32, map at 40, metadata at 48, bytes per unit at 60, SHA-1 of the image at 64 (zeros when it is not compressed), that
 * of image and metadata at 84; all big-endian.
 */
export async function readChd(file: ImageBytes, draft: Draft): Promise<void> {
  const header = await readUpTo(file, 0, HEADER);
  if (header.length < 16) throw refused('it is cut: its header is not whole');
  const version = header.readUInt32BE(12);
  if (version !== VERSION) {
    throw refused(`it is a CHD of version ${version}; only version ${VERSION} is read`);
  }
  if (header.length < HEADER || header.readUInt32BE(8) !== HEADER) {
    throw refused('its header is damaged or cut');
  }
  const size = statedSize(header.readBigUInt64BE(32));
  const isCd = header.readUInt32BE(60) === CD_UNIT;
  const rawSha1 = header.toString('hex', 64, 84);
  draft.evidence['CHD content'] = isCd ? 'CD' : 'DVD or other';
  if (!/^0*$/.test(rawSha1)) draft.evidence['CHD raw SHA-1'] = rawSha1;
  if (!isCd) {
    draft.imageSize = size;
    draft.sha1 = draft.evidence['CHD raw SHA-1'] ?? null;
  }
  // the map is written last, so a file that is cut lacks it
  for (const offset of [header.readBigUInt64BE(40), header.readBigUInt64BE(48)]) {
    if (offset >= BigInt(file.size)) throw refused('it is cut: its map is missing');
  }
}
