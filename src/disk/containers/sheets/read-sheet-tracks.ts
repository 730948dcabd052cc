import { join } from 'node:path';
import { refused } from '../../../core/shared/errors.ts';
import { readDisc } from '../../disc/read-disc.ts';
import type { Draft } from '../../draft.ts';
import { type ImageBytes, sliceOf } from '../../image-bytes.ts';
import { openImageFile, type ReadBudget } from '../../image-file.ts';
import { openRaw, userData, WITH_SUBCHANNELS } from '../burners/raw-sectors.ts';
import { withoutSubchannels } from '../burners/strided.ts';
import type { DataTrack } from './sheet.ts';

/**
 * Maximum number of tracks that are read to identify a disc. A Dreamcast disc has two data tracks.
 */
const MAX_TRACKS = 8;

/**
 * Reads the disc from one track of a sheet after another, until a track identifies the disc. Throws
 * a `CatalogError` of kind `refused` if a track is missing or damaged. I/O errors of a track are
 * rethrown.
 */
export async function readSheetTracks(
  folder: string,
  tracks: readonly DataTrack[],
  draft: Draft,
  budget: ReadBudget,
): Promise<void> {
  const hasData = tracks.some(({ isAudio }) => !isAudio);
  for (const track of tracks.slice(0, MAX_TRACKS)) {
    const file = await openTrack(folder, track.file, budget);
    try {
      if (hasData) draft.imageSize ??= file.size;
      const part = sliceOf(file, track.start, Math.max(0, file.size - track.start));
      await readDisc(await sectorsOf(part, track.sector), draft);
      if (draft.disc === null) continue;
      draft.evidence['data track'] = track.file;
      const disc = draft.edition.disc ?? numberIn(track.file);
      draft.edition = { ...draft.edition, disc };
      draft.imageSize = file.size;
      return;
    } finally {
      await file.close();
    }
  }
}

/** Returns the disc number in a name. For `A game (Disc 2) (Track 1).bin`, this is 2. */
function numberIn(name: string): number | null {
  const found = /\(Dis[ck] ([1-9])\b/i.exec(name);
  return found && Number(found[1]);
}

/**
 * Opens the file of a track. A sheet from an unknown source may name any path. Only a plain file
 * name in the sheet's own folder is accepted.
 */
async function openTrack(folder: string, name: string, budget: ReadBudget) {
  const isPlain = !/^\.{0,2}$|[/\\\0]/.test(name) && Buffer.byteLength(name) <= 255;
  if (!isPlain) throw refused('it names a track that is no file of its own folder');
  // Try several spellings, because sheets may come from systems with case-insensitive file names.
  let missing: unknown;
  const ending = name.replace(/(?<![^.])[^.]*$/, (last) => last.toUpperCase());
  for (const one of new Set([name, ending, name.toLowerCase(), name.toUpperCase()])) {
    try {
      return await openImageFile(join(folder, one), budget);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      missing ??= error;
    }
  }
  throw refused(`its track ${JSON.stringify(name)} is missing`, missing);
}

/**
 * Returns the user data of a track. If the track starts with the sync pattern, its bytes determine
 * the sector form. Otherwise `sector`, the sector length from the sheet, determines the form.
 */
export async function sectorsOf(track: ImageBytes, sector: number): Promise<ImageBytes> {
  if (sector === WITH_SUBCHANNELS) return sectorsOf(withoutSubchannels(track), 2352);
  const raw = await openRaw(track);
  if (raw) return raw;
  return sector === 2336 ? userData(track, { sector, skip: 8 }) : track;
}
