import { basename, dirname } from 'node:path';
import type { SheetFormat } from '../../../core/library/containers.ts';
import type { Draft } from '../../draft.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import type { FileContext } from '../container-format.ts';
import { ccdSheet } from './ccd.ts';
import { cueSheet } from './cue.ts';
import { gdiSheet } from './gdi.ts';
import { m3uSheet } from './m3u.ts';
import { mdsSheet } from './mds.ts';
import { readSheetTracks } from './read-sheet-tracks.ts';
import { MAX_SHEET_BYTES, type Sheet, sheetLines } from './sheet.ts';

/** Reads a cue, GDI or CloneCD sheet, or a playlist. Returns null for other files. */
export async function readSheet(
  file: ImageBytes,
): Promise<(Sheet & { container: Exclude<SheetFormat, 'mds'> }) | null> {
  if (file.size === 0 || file.size > MAX_SHEET_BYTES) return null;
  const bytes = await file.read(0, file.size);
  if (bytes.includes(0)) return null;
  const lines = sheetLines(bytes);
  const cue = cueSheet(lines);
  if (cue) return { container: 'cue', ...cue };
  const gdi = gdiSheet(lines);
  if (gdi) return { container: 'gdi', ...gdi };
  const ccd = ccdSheet(lines);
  if (ccd) return { container: 'ccd', ...ccd };
  const m3u = m3uSheet(lines);
  return m3u && { container: 'm3u', ...m3u };
}

/** Identifies a cue, GDI or CloneCD sheet, or a playlist (see `identifySheet`). */
export async function readSheetFile(
  file: ImageBytes,
  draft: Draft,
  place: FileContext,
): Promise<void> {
  await identifySheet(await readSheet(file), draft, place);
}

/** Identifies an MDS (see `identifySheet`). */
export async function readMds(file: ImageBytes, draft: Draft, place: FileContext): Promise<void> {
  await identifySheet(await mdsSheet(file), draft, place);
}

/** Adds the files that a sheet names to the draft, and identifies the disc from its tracks. */
async function identifySheet(
  sheet: Sheet | null,
  draft: Draft,
  { path, budget }: FileContext,
): Promise<void> {
  draft.sheet = sheet?.files ?? [];
  const own = basename(path).replace(/\.[^.]*$/, '');
  const tracks = (sheet?.dataTracks ?? []).map((track) => {
    return { ...track, file: track.file.replace(/^\*(?=\.)/, () => own) };
  });
  return readSheetTracks(dirname(path), tracks, draft, budget);
}
