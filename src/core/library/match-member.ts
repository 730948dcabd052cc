import type { Candidate } from './candidate.ts';
import { canonicalName, canonicalSheet } from './canonical-name.ts';
import type { ScannedFile } from './library-file.ts';
import { hashPointers, type Looked, type LookedFile } from './looked-files.ts';
import { pointedAt, type Verdict } from './match.ts';
import { matchAlone, ownMethod } from './match-alone.ts';
import type { DiscVerdict } from './match-disc.ts';

export type SetMember = LookedFile<ScannedFile>;

/** What a set's files come to, and for those that follow the others the file that decided. */
export interface SetVerdict extends Verdict {
  readonly decidedBy?: string;
}

/** The release of a track that belongs to a disc; its own where its hash or serial is of another one. */
export function ofTrack(track: SetMember, lead: Looked, verdict: DiscVerdict | null): SetVerdict {
  if (verdict === null || isAnother(track, verdict.left)) return matchAlone(track);
  const [release, ...others] = verdict.left;
  if (release === undefined || others.length > 0) return tiedBetween(verdict.left);
  const { releaseId } = release;
  const own = ownMethod(track, release);
  if (own !== null) return matched(releaseId, own, romOf(track, release));
  if (track === lead && verdict.method === 'serial') {
    return matched(releaseId, 'serial', canonicalName(release, 'serial', track.lookUp));
  }
  return { ...matched(releaseId, verdict.method, romOf(track, release)), ...decided(verdict) };
}

/** Whether a file says of itself that it is of none of these releases. */
function isAnother(track: SetMember, releases: readonly Candidate[]): boolean {
  const ids = new Set(releases.map(({ releaseId }) => releaseId));
  const points = (candidates: readonly Candidate[]) =>
    candidates.length > 0 && !candidates.some(({ releaseId }) => ids.has(releaseId));
  const hashed = [track, ...track.tracks].flatMap((part) => hashPointers(part)?.candidates ?? []);
  if (hashed.length > 0) return points(hashed);
  return points(pointedAt('serial', track.evidence, track.lookUp, track.file));
}

/** The release of the sheet of a disc. */
export function ofSheet(sheet: SetMember, verdict: DiscVerdict | null): SetVerdict {
  if (verdict === null) return matchAlone(sheet);
  const [release, ...others] = verdict.left;
  if (release === undefined || others.length > 0) return tiedBetween(verdict.left);
  const method = ownMethod(sheet, release);
  const canonical = canonicalSheet(release, method ?? verdict.method, sheet.lookUp);
  if (method !== null) return matched(release.releaseId, method, canonical);
  return { ...matched(release.releaseId, verdict.method, canonical), ...decided(verdict) };
}

/** The name of the ROM that a file is: by its hash; before it has one by its name, or a size that no other ROM has. */
export function romOf(
  { file, lookUp }: Pick<SetMember, 'file' | 'lookUp'>,
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
  const byName = roms.find(({ name }) => lookUp.names.includes(name));
  const bySize = roms.filter(({ size }) => size === file.size);
  return byName?.name ?? (bySize.length === 1 ? (bySize[0]?.name ?? null) : null);
}

const decided = ({ by }: DiscVerdict) => (by === null ? {} : { decidedBy: by.file.name });
const tiedBetween = (left: readonly Candidate[]): SetVerdict => ({
  match: null,
  tied: left.map(({ releaseId }) => releaseId),
});
const matched = (
  releaseId: number,
  method: DiscVerdict['method'],
  canonical: string | null,
): SetVerdict => ({
  match: { releaseId, method, canonical },
  tied: [],
});
