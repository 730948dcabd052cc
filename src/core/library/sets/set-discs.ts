import { forEachInSlices } from '../../shared/concurrency/slices.ts';
import type { IdentifiedFile } from '../library-file.ts';
import { fileFinder, resolveSheetFiles } from './sheet-files.ts';
import { TracksByName } from './track-name.ts';

interface Member {
  readonly file: IdentifiedFile;
}

/** A disc of a set, with at least one track. `sheet` is null if no sheet describes the disc. */
export interface SetDisc<M extends Member> {
  readonly sheet: M | null;
  readonly tracks: readonly M[];
}

/**
 * Returns the discs and playlists among the files of a set. A file that several sheets name belongs
 * to several discs.
 */
export async function discsOf<M extends Member>(members: readonly M[]) {
  const byPath = new Map(members.map((member) => [member.file.path, member]));
  const paths = [...byPath.keys()];
  const sheets = members.filter(({ file }) => file.identity.sheet.length > 0);
  const find = await fileFinder(paths, sheets.map(sheetOf));
  /**
   * Returns the files that a sheet names, in the order of the sheet. An element is null if the set
   * does not contain the file.
   */
  const filesIn = (sheet: M) =>
    resolveSheetFiles(sheetOf(sheet), find).map(({ path }) => byPath.get(path ?? '') ?? null);

  const playlists = sheets.filter(isPlaylist);
  const discs: SetDisc<M>[] = [];
  const named = new Set<M>(sheets);
  await forEachInSlices(sheets, (sheet) => {
    const tracks = [...new Set(filesIn(sheet).filter((one) => one !== null))];
    for (const track of tracks) named.add(track);
    if (!isPlaylist(sheet)) discs.push({ sheet, tracks });
  });
  const byName = new TracksByName();
  for (const [path, member] of byPath) if (!named.has(member)) byName.add(path);
  for (const group of byName.lists()) {
    discs.push({ sheet: null, tracks: group.flatMap((path) => byPath.get(path) ?? []) });
  }
  return { discs: discs.filter(({ tracks }) => tracks.length > 0), playlists, filesIn };
}

const sheetOf = ({ file }: Member) => ({ path: file.path, files: file.identity.sheet });
const isPlaylist = ({ file }: Member) => file.identity.container === 'm3u';
