import { refused } from '../../core/shared/errors.ts';
import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';
import { readCdConsole } from './cd-consoles.ts';
import { openIso } from './iso9660.ts';
import { readJaguarCd } from './jaguar-cd.ts';
import { readNeoGeoCd } from './neo-geo-cd.ts';
import { readNintendo } from './nintendo.ts';
import { readPlayStation } from './playstation.ts';
import { readPs3 } from './ps3.ts';
import { readUmd } from './psp.ts';
import { readSega } from './sega.ts';
import { openUdf } from './udf.ts';
import { readVideoDisc } from './video-discs.ts';
import { readXbox } from './xbox.ts';

/**
 * Identifies the disc in an image with 2048-byte sectors by trying every disc reader. Returns false
 * if the disc is unknown and the image has no file system. Throws a refused `CatalogError` if the
 * image is damaged. By then, the draft contains what was found before the damage.
 */
export async function readDisc(image: ImageBytes, draft: Draft): Promise<boolean> {
  const head = await readUpTo(image, 0, 0x220);
  if (readNintendo(head, draft) || readSega(head, draft)) return true;
  const volume = await openIso(image);
  if (volume === null) {
    if (await readCdConsole(head, image, draft)) return true;
    // Read UDF before Xbox. A stream cannot be read backwards, and an Xbox partition comes after
    // the UDF structures.
    const udf = await openUdf(image);
    if (udf !== null) await readVideoDisc(udf, draft);
    return (await readXbox(image, draft)) || udf !== null || readJaguarCd(image, draft);
  }
  if (volume.volumeId !== '') draft.evidence['volume id'] = volume.volumeId;
  for (const read of [readUmd, readPs3, readPlayStation, readNeoGeoCd]) {
    if (await read(volume, draft)) break;
  }
  // An image of a whole Xbox disc begins with a video partition, which contains the file system
  // found above. Therefore also look for the game's partition.
  if (draft.disc === null && (await readXbox(image, draft))) return true;
  if (draft.disc === null) await readVideoDisc(volume, draft);
  // The file system of a CD track may be larger than the track, because of a pregap or later
  // sessions. Therefore check only other images for truncation.
  const isTrack =
    draft.container === 'raw' ||
    draft.container === 'mdf' ||
    draft.container === 'ccd' ||
    draft.container === 'mds' ||
    draft.container === 'cue' ||
    draft.container === 'gdi' ||
    draft.tracks.length > 0;
  if (!isTrack && volume.size > image.size) {
    throw refused(`it is cut: its file system has ${volume.size} bytes, it has ${image.size}`);
  }
  return true;
}
