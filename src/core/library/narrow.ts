import type { Candidate, CandidateRom } from './candidate.ts';
import { hasArea, hasDisc, hasRevision, hasVersion, isPreview } from './edition.ts';
import type { Identity } from './identity.ts';
import type { ImageHashes } from './library-file.ts';
import type { LookUp } from './look-up.ts';

/** A track, as far as it is known: before it was hashed only its size. */
export interface TrackBeside {
  readonly size: number;
  readonly hashes: Partial<Omit<ImageHashes, 'size'>> | null;
}

/** Tracks that are compared at most: no disc has more. */
const mostBeside = 100;

/**
 * What is left of releases that share evidence, by release id (decisions.md, Minimal variant): of those that the file's
 * own serial names the others go, then by its size, by what the image says of disc number, revision and region, by the
 * tracks of its disc, then by its name. What none of them passes decides nothing.
 */
export function narrow(
  candidates: readonly Candidate[],
  lookUp: LookUp,
  { edition }: Pick<Identity, 'edition'>,
  beside: readonly TrackBeside[] = [],
): Candidate[] {
  let left = candidates.toSorted((a, b) => a.releaseId - b.releaseId);
  const tests: ((candidate: Candidate) => boolean)[] = [
    ({ serials }) => serials.some((serial) => lookUp.serials.includes(serial)),
    ({ roms }) => roms.some((rom) => rom.size === lookUp.size),
    (candidate) => hasDisc(candidate, edition, lookUp.gameCode),
    (candidate) => hasRevision(candidate, edition),
    (candidate) => hasVersion(candidate, edition) && !left.some(isPreview),
    (candidate) => hasArea(candidate, edition),
  ];
  for (const test of tests) left = passing(left, test);
  left = withMostOf(left, beside.slice(0, mostBeside));
  return passing(left, (candidate) => lookUp.names.some((name) => isNamed(candidate, name)));
}

/** The tracks that a file holds: those of the disc in it, else what an archive holds. */
export function besideOf({ identity }: { identity: Identity }): readonly TrackBeside[] {
  if (identity.tracks.length > 0) return identity.tracks;
  return identity.members.map(({ size, crc32, hashes }) => {
    if (hashes) return { size: hashes.size, hashes };
    return { size, hashes: crc32 === null ? null : { crc32 } };
  });
}

function passing(left: Candidate[], test: (candidate: Candidate) => boolean): Candidate[] {
  if (left.length < 2) return left;
  const some = left.filter(test);
  return some.length > 0 ? some : left;
}

/** Those that have most of the tracks; of these the ones that have nothing else. */
function withMostOf(left: Candidate[], beside: readonly TrackBeside[]): Candidate[] {
  if (left.length < 2 || beside.length < 2) return left;
  const counts = left.map(
    ({ roms }) => beside.filter((one) => roms.some((rom) => isTrack(rom, one))).length,
  );
  const most = Math.max(...counts);
  const best = left.filter((_, index) => counts[index] === most);
  return passing(best, ({ roms }) =>
    roms.every((rom) => isSheetName(rom.name) || beside.some((one) => isTrack(rom, one))),
  );
}

/** By the strongest hash that both have, else by size. */
function isTrack(rom: CandidateRom, { size, hashes }: TrackBeside): boolean {
  if (hashes?.sha1 && rom.sha1) return rom.sha1 === hashes.sha1;
  if (hashes?.md5 && rom.md5) return rom.md5 === hashes.md5;
  if (rom.size !== size) return false;
  return !hashes?.crc32 || !rom.crc32 || rom.crc32 === hashes.crc32;
}

/** Whether a ROM is the sheet of a disc, which two dumps of the same tracks have each under another name. */
export function isSheetName(name: string): boolean {
  return /\.(?:cue|gdi|ccd|mds|m3u)$/i.test(name);
}

function isNamed(candidate: Candidate, name: string): boolean {
  return candidate.names.includes(name) || candidate.roms.some((rom) => rom.name === name);
}
