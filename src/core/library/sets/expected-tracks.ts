import { forEachInSlices, Slices } from '../../shared/concurrency/slices.ts';
import { traitsOf } from '../containers.ts';
import type { ImageTrack, SheetFile } from '../identity.ts';
import { matchByHash } from '../match/looked-up-files.ts';
import type { SetMember } from './match-member.ts';
import { fileFinder, resolveSheetFiles } from './sheet-files.ts';

/**
 * Returns the files of a set that have to be hashed track by track, each with its tracks. A sheet
 * divides such a file into several tracks, and these tracks are not recorded yet. If several sheets
 * divide a file, the first sheet is used. A file is left out if the whole file matches a ROM by
 * hash.
 */
export async function tracksToHash(
  members: readonly SetMember[],
): Promise<Map<SetMember, ImageTrack[]>> {
  const byPath = new Map(members.map((member) => [member.file.path, member]));
  const sheets = members
    .filter(({ file }) => file.identity.sheet.length > 0)
    .map(({ file }) => ({ path: file.path, files: file.identity.sheet }));
  const find = await fileFinder([...byPath.keys()], sheets);
  const found = new Map<SetMember, ImageTrack[]>();
  await forEachInSlices(sheets, (sheet) => {
    for (const { file, path } of resolveSheetFiles(sheet, find)) {
      const member = byPath.get(path ?? '');
      if (member === undefined || found.has(member)) continue;
      const { identity, size } = member.file;
      const tracks = tracksIn(file, identity.imageSize ?? size);
      if (tracks.length > 1 && traitsOf(identity.container).isDivisible) found.set(member, tracks);
    }
  });
  const slices = new Slices();
  for (const [member, tracks] of found) {
    const sizes = (listed: readonly ImageTrack[]) => listed.map(({ size }) => size).join();
    const isKnown = sizes(member.file.identity.tracks) === sizes(tracks);
    if (isKnown || (await matchByHash(member, slices)) !== null) found.delete(member);
  }
  return found;
}

/**
 * Returns the tracks that a sheet lists for an image of `size` bytes. Returns an empty array if the
 * track positions in the sheet do not fit `size`.
 */
export function tracksIn({ tracks }: SheetFile, size: number): ImageTrack[] {
  const sized = tracks.map(({ number, isAudio, start }, index) => {
    const end = tracks[index + 1]?.start ?? size;
    return { number, isAudio, size: end - (index === 0 ? 0 : start), hashes: null };
  });
  return sized.every((track) => track.size > 0) ? sized : [];
}
