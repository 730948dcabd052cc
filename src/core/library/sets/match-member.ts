import type { Slices } from '../../shared/concurrency/slices.ts';
import type { Match, ScannedFile } from '../library-file.ts';
import type { Candidate } from '../match/candidate.ts';
import { canonicalName, canonicalSheet } from '../match/canonical-name.ts';
import { type LookedUpFile, type LookedUpPart, matchByHash } from '../match/looked-up-files.ts';
import { candidatesBy, type Verdict } from '../match/match.ts';
import { matchAlone, ownMethod } from '../match/match-alone.ts';
import type { Reason } from '../match/reasons.ts';
import type { DiscVerdict } from './match-disc.ts';

export type SetMember = LookedUpFile<ScannedFile>;

/**
 * The result of matching a file of a set. `decidedBy` is set if another file of the set decided,
 * and is the name of that file.
 */
export interface SetVerdict extends Verdict {
  readonly decidedBy?: string;
}

/**
 * Returns the release of a track, which is normally the release of the disc. If the track's own
 * hash or serial matches only other releases, the track is matched alone.
 */
export async function matchTrack(
  track: SetMember,
  { lead, verdict }: { lead: LookedUpPart; verdict: DiscVerdict | null },
  slices: Slices,
): Promise<SetVerdict> {
  if (slices.isOver) await slices.next();
  if (verdict === null || (await matchesOnlyOthers(track, verdict.candidates, slices))) {
    return matchAlone(track, slices);
  }
  const [release, ...others] = verdict.candidates;
  if (release === undefined || others.length > 0) return tiedBetween(verdict);
  const { releaseId } = release;
  const { why } = verdict;
  const own = await ownMethod(track, release, slices);
  if (own !== null)
    return matched({ releaseId, method: own, canonical: romOf(track, release) }, why);
  if (track === lead && verdict.method === 'serial') {
    const canonical = await canonicalName(release, 'serial', track.lookupKeys, slices);
    return matched({ releaseId, method: 'serial', canonical }, why);
  }
  const canonical = romOf(track, release);
  return { ...matched({ releaseId, method: verdict.method, canonical }, why), ...decided(verdict) };
}

/**
 * Returns true if a file's own hashes match other releases, but none of `releases`. If no hash
 * matches any release, the file's serial is tested in the same way.
 */
async function matchesOnlyOthers(
  track: SetMember,
  releases: readonly Candidate[],
  slices: Slices,
): Promise<boolean> {
  const ids = new Set(releases.map(({ releaseId }) => releaseId));
  const points = (candidates: readonly Candidate[]) =>
    candidates.length > 0 && !candidates.some(({ releaseId }) => ids.has(releaseId));
  const hashed: Candidate[] = [];
  for (const part of [track, ...track.tracks]) {
    for (const one of (await matchByHash(part, slices))?.candidates ?? []) hashed.push(one);
  }
  if (hashed.length > 0) return points(hashed);
  return points(await candidatesBy('serial', track, track, slices));
}

/**
 * Returns the release of a disc's sheet, which is the release of the disc if exactly one release
 * remains for the disc. If no release matches the disc, the sheet is matched alone.
 */
export async function matchSheet(
  sheet: SetMember,
  verdict: DiscVerdict | null,
  slices: Slices,
): Promise<SetVerdict> {
  if (verdict === null) return matchAlone(sheet, slices);
  const [release, ...others] = verdict.candidates;
  if (release === undefined || others.length > 0) return tiedBetween(verdict);
  const { releaseId } = release;
  const method = await ownMethod(sheet, release, slices);
  const by = method ?? verdict.method;
  const canonical = await canonicalSheet(release, by, sheet.lookupKeys, slices);
  const found = matched({ releaseId, method: by, canonical }, verdict.why);
  return method === null ? { ...found, ...decided(verdict) } : found;
}

/**
 * Returns the name of the ROM that a file contains, found by the file's hash. If the file is not
 * hashed yet, the ROM is found by name, or by a size that only one ROM has. Returns null if no ROM
 * is found.
 */
export function romOf(
  { file, lookupKeys }: Pick<SetMember, 'file' | 'lookupKeys'>,
  { roms }: Candidate,
): string | null {
  const { hashes } = file;
  if (hashes !== null) {
    const is = (rom: (typeof roms)[number]) =>
      rom.sha1
        ? rom.sha1 === hashes.sha1
        : rom.md5
          ? rom.md5 === hashes.md5
          : rom.crc32 === hashes.crc32 && rom.size === hashes.size;
    return roms.find(is)?.name ?? null;
  }
  const byName = roms.find(({ name }) => lookupKeys.names.includes(name));
  const bySize = roms.filter(({ size }) => size === file.size);
  return byName?.name ?? (bySize.length === 1 ? (bySize[0]?.name ?? null) : null);
}

const decided = ({ decidingPart }: DiscVerdict) =>
  decidingPart === null ? {} : { decidedBy: decidingPart.file.name };
const tiedBetween = ({ candidates, why }: DiscVerdict): SetVerdict => ({
  match: null,
  tied: candidates.map(({ releaseId }) => releaseId),
  why,
});
const matched = (match: Match, why: readonly Reason[]): SetVerdict => ({ match, tied: [], why });
