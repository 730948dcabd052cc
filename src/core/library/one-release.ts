import { forEachInSlices, type Slices } from '../shared/slices.ts';
import type { Candidate, CandidateRom, Evidence } from './candidate.ts';
import { imageKey } from './canonical-name.ts';
import type { ArchiveMember, Identity } from './identity.ts';

/**
 * The evidence of a file if its content is one release, or the ids of the several releases in it.
 */
export interface OneRelease {
  readonly evidence: Evidence;
  /** Ids of the releases that the file contains if there are several; else empty. */
  readonly apart: readonly number[];
}

/**
 * Reduces the evidence of an archive with several members. Only releases that contain every known
 * member remain; a member is known if any release contains it. If no release contains all known
 * members, the archive holds several releases, and `apart` contains their ids. Otherwise `apart` is
 * empty.
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
  // All members that a release has are in `known`. So a release with as many members as `known` has
  // all of them.
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
 * Indexes the members of an archive by the keys that ROMs are compared with. Archives may have very
 * many members and candidates very many ROMs, so comparing each pair would be too slow.
 */
class MemberIndex {
  /**
   * The members that have a key, which is a hash, or CRC-32 and size. Members with identical keys
   * are counted as one.
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
