import { filterInSlices, type Slices } from '../../shared/concurrency/slices.ts';
import type { Identity } from '../identity.ts';
import type { ImageHashes } from '../library-file.ts';
import { isSheetName } from '../main-member.ts';
import type { Candidate, CandidateRom } from './candidate.ts';
import { hasArea, hasDisc, hasRevision, hasVersion, isPreview } from './edition.ts';
import type { LookupKeys } from './lookup-keys.ts';
import type { MatchRule, Reasons } from './reasons.ts';

/**
 * A track of the disc that is compared with releases. Before the track is hashed, only its size is
 * known.
 */
export interface ComparedTrack {
  readonly size: number;
  readonly hashes: Partial<Omit<ImageHashes, 'size'>> | null;
}

/** Maximum number of tracks to compare. No disc has more tracks. */
const maxComparedTracks = 100;

/**
 * Narrows releases that share evidence, and returns the remaining releases by id
 * (docs/library.md). A filter that no release passes is skipped. The filters are applied in this
 * order:
 * - The serial and the size of the file.
 * - The disc number, revision, version and region that the image states.
 * - The tracks of the disc.
 * - The name of the file.
 *
 * Each filter that left out releases is recorded in `reasons`.
 */
export async function narrow(
  candidates: readonly Candidate[],
  lookupKeys: LookupKeys,
  { edition }: Pick<Identity, 'edition'>,
  {
    tracks,
    slices,
    reasons,
  }: { tracks: readonly ComparedTrack[]; slices: Slices; reasons: Reasons },
): Promise<Candidate[]> {
  let left = candidates.toSorted((a, b) => a.releaseId - b.releaseId);
  const keep = (rule: MatchRule, kept: Candidate[]) => {
    reasons.addChoice(rule, left, kept);
    left = kept;
  };
  const pass = async (rule: MatchRule, test: (candidate: Candidate) => boolean) =>
    keep(rule, await passing(left, test, slices));
  await pass('full-serial', ({ serials }) =>
    serials.some((serial) => lookupKeys.serials.includes(serial)),
  );
  await pass('size', ({ roms }) => roms.some((rom) => rom.size === lookupKeys.size));
  await pass('disc', (candidate) => hasDisc(candidate, edition, lookupKeys.gameCode));
  await pass('revision', (candidate) => hasRevision(candidate, edition));
  const mayBePreview = left.some(isPreview);
  await pass('version', (candidate) => !mayBePreview && hasVersion(candidate, edition));
  await pass('region', (candidate) => hasArea(candidate, edition));
  keep('tracks', await withMostOf(left, tracks.slice(0, maxComparedTracks), slices));
  await pass('file-name', (candidate) => lookupKeys.names.some((name) => isNamed(candidate, name)));
  return left;
}

/**
 * Returns the tracks of the disc in a file. If no tracks are known, returns the members of the
 * archive instead.
 */
export function comparedTracksOf({ identity }: { identity: Identity }): readonly ComparedTrack[] {
  if (identity.tracks.length > 0) return identity.tracks;
  return identity.members.map(({ size, crc32, hashes }) => {
    if (hashes) return { size: hashes.size, hashes };
    return { size, hashes: crc32 === null ? null : { crc32 } };
  });
}

async function passing(
  left: Candidate[],
  test: (candidate: Candidate) => boolean,
  slices: Slices,
): Promise<Candidate[]> {
  if (left.length < 2) return left;
  const some = await filterInSlices(left, test, slices);
  return some.length > 0 ? some : left;
}

/**
 * Returns the releases that contain the most of the given tracks. If some of these releases
 * contain no other ROMs except sheets, returns only those releases.
 */
async function withMostOf(
  left: Candidate[],
  tracks: readonly ComparedTrack[],
  slices: Slices,
): Promise<Candidate[]> {
  if (left.length < 2 || tracks.length < 2) return left;
  const counts: number[] = [];
  for (const { roms } of left) {
    const isHeld = (one: ComparedTrack) => roms.some((rom) => isTrack(rom, one));
    counts.push((await filterInSlices(tracks, isHeld, slices)).length);
  }
  const max = counts.reduce((sum, count) => Math.max(sum, count), 0);
  const best = left.filter((_, index) => counts[index] === max);
  if (best.length < 2) return best;
  const whole: Candidate[] = [];
  for (const candidate of best) {
    if (await hasNothingElse(candidate, tracks, slices)) whole.push(candidate);
  }
  return whole.length > 0 ? whole : best;
}

async function hasNothingElse(
  { roms }: Candidate,
  tracks: readonly ComparedTrack[],
  slices: Slices,
): Promise<boolean> {
  for (const rom of roms) {
    if (slices.isOver) await slices.next();
    if (!isSheetOrPlaylist(rom.name) && !tracks.some((one) => isTrack(rom, one))) return false;
  }
  return true;
}

/**
 * Returns true if a ROM is the track. Compares the SHA-1, or else the MD5, if both have it.
 * Otherwise compares the size, and also the CRC-32 if both have it.
 */
function isTrack(rom: CandidateRom, { size, hashes }: ComparedTrack): boolean {
  if (hashes?.sha1 && rom.sha1) return rom.sha1 === hashes.sha1;
  if (hashes?.md5 && rom.md5) return rom.md5 === hashes.md5;
  if (rom.size !== size) return false;
  return !hashes?.crc32 || !rom.crc32 || rom.crc32 === hashes.crc32;
}

/**
 * Returns true if a ROM is a sheet or playlist by its name. Comparisons ignore these ROMs, because
 * dumps of the same tracks may have sheets with different names.
 */
export function isSheetOrPlaylist(name: string): boolean {
  return isSheetName(name) || /\.m3u$/i.test(name);
}

function isNamed(candidate: Candidate, name: string): boolean {
  return candidate.names.includes(name) || candidate.roms.some((rom) => rom.name === name);
}
