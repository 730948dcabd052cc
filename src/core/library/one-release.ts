import type { Candidate, CandidateRom, Evidence } from './candidate.ts';
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
  const index = new MemberIndex(some);
  const held = candidates.map((candidate) => index.membersOf(candidate.roms));
  const known = new Set(held.flatMap((members) => [...members]));
  // What a release has is among the known ones.
  const whole = candidates.filter((_, place) => held[place]?.size === known.size);
  if (known.size > 0 && whole.length === 0) {
    return { evidence, apart: candidates.map(({ releaseId }) => releaseId).sort((a, b) => a - b) };
  }
  if (known.size === 0) return { evidence, apart: [] };
  const ids = new Set(whole.map(({ releaseId }) => releaseId));
  const kept = (all: readonly Candidate[]) => all.filter(({ releaseId }) => ids.has(releaseId));
  const { sha1, md5, crc32 } = evidence;
  const left = { ...evidence, sha1: kept(sha1), md5: kept(md5), crc32: kept(crc32) };
  return { evidence: left, apart: [] };
}

/**
 * The members of an archive by what ROMs are compared with: an archive may have as many members as the releases that they
 * point at have ROMs, too many to compare each with each.
 */
class MemberIndex {
  /** Members by a hash, or by CRC-32 and size; those that are alike in all of it count as one. */
  readonly #members = new Map<string, Set<number>>();
  readonly #crcs = new Set<string>();

  constructor(members: readonly ArchiveMember[]) {
    const numbers = new Map<string, number>();
    for (const member of members) {
      const keys = this.#keysOf(member);
      const all = keys.join();
      if (numbers.has(all)) continue;
      numbers.set(all, numbers.size);
      for (const key of keys) {
        const known = this.#members.get(key);
        if (known === undefined) this.#members.set(key, new Set([numbers.size]));
        else known.add(numbers.size);
      }
    }
  }

  membersOf(roms: readonly CandidateRom[]): Set<number> {
    const found = new Set<number>();
    for (const rom of roms) {
      const image = this.#crcs.has(rom.crc32) ? imageKey(rom) : '';
      for (const key of [rom.sha1, rom.md5, image]) {
        for (const member of this.#members.get(key) ?? []) found.add(member);
      }
    }
    return found;
  }

  #keysOf({ crc32, size, hashes, forms = [] }: ArchiveMember): string[] {
    const known = [hashes ?? [], forms].flat();
    const images = crc32 === null ? known : [{ crc32, size }, ...known];
    for (const image of images) this.#crcs.add(image.crc32);
    return [...images.map(imageKey), ...known.flatMap(({ sha1, md5 }) => [sha1, md5])];
  }
}

const imageKey = ({ crc32, size }: { crc32: string; size: number }) => `${crc32}:${size}`;
