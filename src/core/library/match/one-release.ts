import { forEachInSlices, type Slices } from '../../shared/concurrency/slices.ts';
import type { Candidate, CandidateRom, Evidence } from './candidate.ts';
import { imageKey } from './canonical-name.ts';
import type { ArchiveMember, Identity } from '../identity.ts';

/**
 * The evidence of a file, reduced to releases that contain the whole file. If the file contains
 * several releases, the evidence is not reduced, and `apart` lists the releases.
 */
export interface OneRelease {
  readonly evidence: Evidence;
  /** Ids of the releases in the file if the file contains several releases. Otherwise empty. */
  readonly apart: readonly number[];
}

/**
 * Reduces the evidence of an archive with several members. A member is known if any release
 * contains it. Only releases that contain every known member remain. If no release contains every
 * known member, the archive contains several releases, and `apart` lists their ids.
 */
export async function ofOneRelease(
  evidence: Evidence,
  { members }: Pick<Identity, 'members'>,
  slices: Slices,
): Promise<OneRelease> {
  const some = members.filter(({ size }) => size > 0);
  if (some.length < 2) return { evidence, apart: [] };
  const byHash = [...evidence.sha1, ...evidence.md5, ...evidence.crc32];
  const candidates = [...new Map(byHash.map((one) => [one.releaseId, one])).values()];
  const index = new MemberIndex();
  await forEachInSlices(some, (member) => index.add(member), slices);
  const known = new Set<number>();
  const counts: number[] = [];
  const count = ({ roms }: Candidate) => {
    const held = index.membersOf(roms);
    for (const member of held) known.add(member);
    counts.push(held.size);
  };
  await forEachInSlices(candidates, count, slices);
  // `known` contains the members of all releases. So a release with as many members as `known`
  // contains every known member.
  const whole = candidates.filter((_, place) => counts[place] === known.size);
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
 * An index of the members of an archive by the keys that ROMs are compared with. Comparing each
 * member with each ROM would be too slow, because there may be very many of both.
 */
class MemberIndex {
  /**
   * By key, the numbers of the members with that key. A key is an MD5 or SHA-1 hash, or a CRC-32
   * with a size. Members with the same set of keys have the same number.
   */
  readonly #members = new Map<string, Set<number>>();
  readonly #numbers = new Map<string, number>();
  readonly #crcs = new Set<string>();

  add(member: ArchiveMember): void {
    const keys = this.#keysOf(member);
    const all = keys.join();
    if (this.#numbers.has(all)) return;
    const number = this.#numbers.size;
    this.#numbers.set(all, number);
    for (const key of keys) {
      const known = this.#members.get(key);
      if (known === undefined) this.#members.set(key, new Set([number]));
      else known.add(number);
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
