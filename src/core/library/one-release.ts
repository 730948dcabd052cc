import type { Candidate, CandidateRom, Evidence } from './candidate.ts';
import { isImage } from './canonical-name.ts';
import type { ArchiveMember, Identity } from './identity.ts';

/**
 * The evidence of an archive with several members: only releases that have every member that any release has. Where no
 * release has them all, the archive holds several: `apart` has their ids, else it is empty.
 */
export function ofOneRelease(
  evidence: Evidence,
  { members }: Pick<Identity, 'members'>,
): { evidence: Evidence; apart: readonly number[] } {
  const some = members.filter(({ size }) => size > 0);
  if (some.length < 2) return { evidence, apart: [] };
  const byHash = [...evidence.sha1, ...evidence.md5, ...evidence.crc32];
  const candidates = [...new Map(byHash.map((one) => [one.releaseId, one])).values()];
  const has = (candidate: Candidate, member: ArchiveMember) =>
    candidate.roms.some((rom) => isMember(rom, member));
  const known = some.filter((member) => candidates.some((candidate) => has(candidate, member)));
  const whole = candidates.filter((candidate) => known.every((member) => has(candidate, member)));
  if (known.length > 0 && whole.length === 0) {
    return { evidence, apart: candidates.map(({ releaseId }) => releaseId).sort((a, b) => a - b) };
  }
  if (known.length === 0) return { evidence, apart: [] };
  const ids = new Set(whole.map(({ releaseId }) => releaseId));
  const kept = (all: readonly Candidate[]) => all.filter(({ releaseId }) => ids.has(releaseId));
  const { sha1, md5, crc32 } = evidence;
  const left = { ...evidence, sha1: kept(sha1), md5: kept(md5), crc32: kept(crc32) };
  return { evidence: left, apart: [] };
}

function isMember(rom: CandidateRom, { crc32, size, hashes, forms = [] }: ArchiveMember): boolean {
  if (crc32 !== null && isImage(rom, { crc32, size })) return true;
  return [hashes ?? [], forms]
    .flat()
    .some((one) => rom.sha1 === one.sha1 || rom.md5 === one.md5 || isImage(rom, one));
}
