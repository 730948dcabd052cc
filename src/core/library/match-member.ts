import type { Slices } from '../shared/slices.ts';
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
export async function ofTrack(
  track: SetMember,
  { lead, verdict }: { lead: Looked; verdict: DiscVerdict | null },
  slices: Slices,
): Promise<SetVerdict> {
  if (slices.isOver) await slices.next();
  if (verdict === null || (await isAnother(track, verdict.left, slices))) {
    return matchAlone(track, slices);
  }
  const [release, ...others] = verdict.left;
  if (release === undefined || others.length > 0) return tiedBetween(verdict.left);
  const { releaseId } = release;
  const own = await ownMethod(track, release, slices);
  if (own !== null) return matched(releaseId, own, romOf(track, release));
  if (track === lead && verdict.method === 'serial') {
    const canonical = await canonicalName(release, 'serial', track.lookUp, slices);
    return matched(releaseId, 'serial', canonical);
  }
  return { ...matched(releaseId, verdict.method, romOf(track, release)), ...decided(verdict) };
}

/** Whether a file says of itself that it is of none of these releases. */
async function isAnother(
  track: SetMember,
  releases: readonly Candidate[],
  slices: Slices,
): Promise<boolean> {
  const ids = new Set(releases.map(({ releaseId }) => releaseId));
  const points = (candidates: readonly Candidate[]) =>
    candidates.length > 0 && !candidates.some(({ releaseId }) => ids.has(releaseId));
  const hashed: Candidate[] = [];
  for (const part of [track, ...track.tracks]) {
    for (const one of (await hashPointers(part, slices))?.candidates ?? []) hashed.push(one);
  }
  if (hashed.length > 0) return points(hashed);
  return points(await pointedAt('serial', track, track, slices));
}

/** The release of the sheet of a disc. */
export async function ofSheet(
  sheet: SetMember,
  verdict: DiscVerdict | null,
  slices: Slices,
): Promise<SetVerdict> {
  if (verdict === null) return matchAlone(sheet, slices);
  const [release, ...others] = verdict.left;
  if (release === undefined || others.length > 0) return tiedBetween(verdict.left);
  const method = await ownMethod(sheet, release, slices);
  const by = method ?? verdict.method;
  const canonical = await canonicalSheet(release, by, sheet.lookUp, slices);
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
