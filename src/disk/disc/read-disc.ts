import { traitsOf } from '../../core/library/containers.ts';
import type { DiscKind } from '../../core/library/discs.ts';
import { refused } from '../../core/shared/errors.ts';
import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';
import { readCdConsole } from './cd-consoles.ts';
import { type IsoVolume, openIso } from './iso9660.ts';
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
 * The reader of one or several kinds of discs, and the source from which it identifies them:
 * - `head`: the first 0x220 bytes of the image.
 * - `volume`: the ISO 9660 file system.
 * - `label`: the first sectors of an image without this file system.
 * - `partition`: a partition that may come after the file systems.
 * - `track`: a track without any file system.
 *
 * A reader returns false if the disc is of another kind.
 */
type DiscReader = { readonly version: number } & (
  | { readonly head: (head: Buffer, draft: Draft) => boolean }
  | { readonly volume: (volume: IsoVolume, draft: Draft) => Promise<boolean> }
  | {
      readonly label: (image: ImageBytes, draft: Draft, head: Buffer) => Promise<boolean>;
    }
  | { readonly partition: (image: ImageBytes, draft: Draft) => Promise<boolean> }
  | { readonly track: (image: ImageBytes, draft: Draft) => Promise<boolean> }
);

/**
 * The reader of each kind of disc. For the use of the version, see `FormatBase` in
 * `container-format.ts`. Readers with the same source are tried in the order of this table. To add
 * a kind of disc, write its reader, and add a line here and in `src/core/library/discs.ts`.
 */
export const discReaders: Readonly<Record<DiscKind, DiscReader>> = {
  gamecube: { version: 2, head: readNintendo },
  wii: { version: 2, head: readNintendo },
  saturn: { version: 1, head: readSega },
  'mega-cd': { version: 1, head: readSega },
  dreamcast: { version: 1, head: readSega },
  psp: { version: 1, volume: readUmd },
  'umd-video': { version: 1, volume: readUmd },
  'umd-audio': { version: 1, volume: readUmd },
  ps3: { version: 1, volume: readPs3 },
  psx: { version: 1, volume: readPlayStation },
  ps2: { version: 1, volume: readPlayStation },
  'neo-geo-cd': { version: 1, volume: readNeoGeoCd },
  '3do': { version: 1, label: readCdConsole },
  'pc-engine-cd': { version: 1, label: readCdConsole },
  'cd-i': { version: 1, label: readCdConsole },
  xbox: { version: 1, partition: readXbox },
  'xbox-360': { version: 1, partition: readXbox },
  'jaguar-cd': { version: 1, track: readJaguarCd },
};

// A reader of several kinds is tried only once.
const all = Object.values(discReaders);
const heads = new Set(all.flatMap((one) => ('head' in one ? [one.head] : [])));
const volumes = new Set(all.flatMap((one) => ('volume' in one ? [one.volume] : [])));
const labels = new Set(all.flatMap((one) => ('label' in one ? [one.label] : [])));
const partitions = new Set(all.flatMap((one) => ('partition' in one ? [one.partition] : [])));
const tracks = new Set(all.flatMap((one) => ('track' in one ? [one.track] : [])));

/**
 * Identifies the disc in an image with 2048-byte sectors by trying every disc reader. Returns false
 * if the disc is unknown and the image has no file system. Throws a `CatalogError` of kind
 * `refused` if the image is damaged. After such an error, the draft contains what was found before
 * the damage.
 */
export async function readDisc(image: ImageBytes, draft: Draft): Promise<boolean> {
  const head = await readUpTo(image, 0, 0x220);
  for (const read of heads) if (read(head, draft)) return true;
  const volume = await openIso(image);
  if (volume === null) return readWithoutVolume(image, draft, head);
  if (volume.volumeId !== '') draft.evidence['volume id'] = volume.volumeId;
  await anyOf(volumes, (read) => read(volume, draft));
  // An image of a whole Xbox disc begins with a video partition, which contains the file system
  // found above. Therefore also look for the game's partition.
  if (draft.disc === null && (await anyOf(partitions, (read) => read(image, draft)))) return true;
  if (draft.disc === null) await readVideoDisc(volume, draft);
  const isTrack = traitsOf(draft.container).isTrack || draft.tracks.length > 0;
  if (!isTrack && volume.size > image.size) {
    throw refused(`it is cut: its file system has ${volume.size} bytes, it has ${image.size}`);
  }
  return true;
}

async function readWithoutVolume(image: ImageBytes, draft: Draft, head: Buffer): Promise<boolean> {
  if (await anyOf(labels, (read) => read(image, draft, head))) return true;
  // Read UDF before the partitions. A stream cannot be read backwards, and most positions of an
  // Xbox partition are after the UDF structures.
  const udf = await openUdf(image);
  if (udf !== null) await readVideoDisc(udf, draft);
  if (await anyOf(partitions, (read) => read(image, draft))) return true;
  return udf !== null || anyOf(tracks, (read) => read(image, draft));
}

/** Tries the readers in order until one of them identifies the disc. Returns false if none does. */
async function anyOf<Read>(
  readers: Iterable<Read>,
  identifies: (read: Read) => Promise<boolean>,
): Promise<boolean> {
  for (const read of readers) if (await identifies(read)) return true;
  return false;
}
