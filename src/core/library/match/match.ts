import { filterInSlices, forEachInSlices, type Slices } from '../../shared/concurrency/slices.ts';
import { isFirstPart } from '../container-kinds.ts';
import { fitsPlatform } from '../discs.ts';
import type { ArchiveMember, Identity } from '../identity.ts';
import { type IdentifiedFile, type Match, type Method, methods } from '../library-file.ts';
import type { Candidate, CandidateRom, Evidence } from './candidate.ts';
import {
  canonicalName,
  canonicalSheet,
  firstHash,
  firstImage,
  imageKey,
  isImage,
} from './canonical-name.ts';
import { contradictionOf } from './edition.ts';
import type { LookupKeys } from './lookup-keys.ts';
import { comparedTracksOf, narrow } from './narrow.ts';
import { type MatchRule, type Reason, Reasons } from './reasons.ts';

/**
 * Version of the matching rules. Increase the version by one whenever the rules change, so that all
 * files are matched again.
 */
export const matchingRules = 10;

/** The result of matching a file. */
export interface Verdict {
  /** The matched release. Null if no release was matched, or if several releases remain. */
  readonly match: Match | null;
  /** Ids of the remaining releases, in ascending order, if there are several. Otherwise empty. */
  readonly tied: readonly number[];
  /** The rules that decided, in the order in which they were applied. */
  readonly why: readonly Reason[];
}

/**
 * Returns the release that the strongest evidence matches (docs/library.md). If
 * several releases share the evidence, `narrow` compares everything else that is known. If several
 * releases remain, the result depends on the evidence:
 * - Hash: the release with the lowest id, because the bytes of the releases are the same.
 * - Serial or name: no release.
 *
 * An archive with members of several releases gets no release (see `reduceEvidence`).
 */
export async function matchFile(
  {
    file,
    lookupKeys,
    reduced,
  }: {
    file: IdentifiedFile;
    lookupKeys: LookupKeys;
    reduced: ReducedEvidence;
  },
  slices: Slices,
): Promise<Verdict> {
  const reasons = new Reasons();
  const { conflictingIds: tied, inside } = reduced;
  if (inside !== null) reasons.addChoice('members', inside.before, inside.kept);
  if (tied.length > 0) return { match: null, tied, why: reasons.list(tied) };
  for (const method of methods) {
    const pointed = await candidatesBy(method, reduced, { lookupKeys, file }, slices, reasons);
    const left = await narrow(pointed, lookupKeys, file.identity, {
      tracks: comparedTracksOf(file),
      slices,
      reasons,
    });
    const [best] = left;
    if (best === undefined) continue;
    const isHash = method !== 'serial' && method !== 'name';
    if (left.length > 1 && !isHash) {
      const ids = left.map(({ releaseId }) => releaseId);
      return { match: null, tied: ids, why: reasons.list(ids) };
    }
    reasons.addChoice('same-content', left, [best]);
    const nameOf =
      file.identity.sheet.length > 0 && !isFirstPart(file) ? canonicalSheet : canonicalName;
    const canonical = await nameOf(best, method, lookupKeys, slices);
    const { releaseId } = best;
    return { match: { releaseId, method, canonical }, tied: [], why: reasons.list([releaseId]) };
  }
  return { match: null, tied: [], why: reasons.list([]) };
}

/**
 * Returns the releases that one kind of evidence matches. Releases that contradict the values in
 * the file are left out. `reasons` records the releases that matched or were left out.
 */
export async function candidatesBy(
  method: Method,
  { evidence }: Pick<ReducedEvidence, 'evidence'>,
  {
    lookupKeys,
    file,
  }: { lookupKeys: LookupKeys; file: Pick<IdentifiedFile, 'identity' | 'hashes'> },
  slices: Slices,
  reasons = new Reasons(),
): Promise<readonly Candidate[]> {
  const all = evidence[method];
  const { identity, hashes } = file;
  if (all.length === 0) return [];
  if (method === 'serial' || method === 'name') {
    reasons.addMatches(method, all);
    const against = (candidate: Candidate) => ruleAgainst(candidate, method, file);
    return withoutExcluded(all, against, slices, reasons);
  }
  if (method === 'sha1' || method === 'md5') {
    // Use only the first hash that matches a ROM. The hash of the whole file comes before the
    // hashes of its other forms. So a release that lists the dump with its header is preferred to a
    // release that lists the dump without it.
    const hash = await firstHash(lookupKeys[method], method, all, slices);
    if (hash === undefined) return [];
    const has = (rom: CandidateRom) => rom[method] === hash;
    const found = await filterInSlices(all, ({ roms }) => roms.some(has), slices);
    reasons.addMatches(method, found);
    // If the file is not hashed yet, only its container states the hash. A stated hash is weaker
    // than the serial of the disc. So releases with other serials are left out until the file is
    // hashed.
    const against = (one: Candidate) =>
      hasOtherSerial(one, evidence, identity) ? 'own-serial' : null;
    return hashes === null ? withoutExcluded(found, against, slices, reasons) : found;
  }
  const image = await firstImage(lookupKeys.images, all, slices);
  if (image === undefined) return [];
  const found = await filterInSlices(
    all,
    ({ roms }) => roms.some((rom) => isImage(rom, image)),
    slices,
  );
  reasons.addMatches(method, found);
  return found;
}

/**
 * Returns the releases that no rule excludes. `ruleAgainst` returns the rule that excludes a
 * release, or null. Records the rules in `reasons`.
 */
export async function withoutExcluded(
  all: readonly Candidate[],
  ruleAgainst: (candidate: Candidate) => MatchRule | null,
  slices: Slices,
  reasons: Reasons,
): Promise<readonly Candidate[]> {
  const rules = new Map<Candidate, MatchRule>();
  const isKept = (candidate: Candidate) => {
    const rule = ruleAgainst(candidate);
    if (rule !== null) rules.set(candidate, rule);
    return rule === null;
  };
  const kept = await filterInSlices(all, isKept, slices);
  let left = all;
  for (const rule of new Set(rules.values())) {
    const rest = left.filter((candidate) => rules.get(candidate) !== rule);
    reasons.addChoice(rule, left, rest);
    left = rest;
  }
  return kept;
}

/**
 * Returns the rule that excludes a release that matches a file by serial or name. Returns null if
 * no rule excludes the release.
 */
function ruleAgainst(
  candidate: Candidate,
  method: 'serial' | 'name',
  file: Pick<IdentifiedFile, 'identity' | 'hashes'>,
): MatchRule | null {
  const { identity } = file;
  if (!fitsPlatform(identity.disc, candidate.platformKey)) return 'platform';
  const contradiction = contradictionOf(candidate, identity);
  if (contradiction !== null || method === 'serial') return contradiction;
  // If the serial in the file matched nothing, a release with the same name but its own serials is
  // a different release. So a name counts only if the file or the release has no serial.
  if (identity.serial !== null && candidate.serials.length > 0) return 'own-serial';
  return isOtherDump(candidate, file) ? 'dump' : null;
}

/**
 * Returns true if a file is not a dump of a release, although its name matches. The result is true
 * under these conditions, because the right disc would state a serial or match a hash:
 * - The file was hashed, and no format was recognised in the file.
 * - The release has serials.
 * - The release has ROMs, and each ROM has a hash.
 */
function isOtherDump(
  { roms, serials }: Candidate,
  { identity, hashes }: Pick<IdentifiedFile, 'identity' | 'hashes'>,
): boolean {
  if (hashes === null || !isUnrecognised(identity)) return false;
  if (roms.length === 0 || serials.length === 0) return false;
  return roms.every(({ sha1, md5, crc32 }) => sha1 || md5 || crc32);
}

/**
 * Returns true if only the bytes of a file can identify it, because no disc, track or cartridge
 * format was recognised in the file.
 */
function isUnrecognised({ disc, container, members, tracks }: Identity): boolean {
  if (disc !== null || tracks.length > 0) return false;
  return container === 'unknown' || (members.length > 0 && members.every(({ forms }) => !forms));
}

/** Returns true if a file states a serial, and the release has only other serials. */
function hasOtherSerial(
  { releaseId, serials }: Candidate,
  { serial }: Evidence,
  identity: IdentifiedFile['identity'],
): boolean {
  if (identity.serial === null || serials.length === 0) return false;
  return serial.every((one) => one.releaseId !== releaseId);
}

/**
 * The evidence of a file, reduced to releases that contain the whole file. If the file contains
 * several releases, the evidence is not reduced, and `conflictingIds` lists the releases.
 */
export interface ReducedEvidence {
  readonly evidence: Evidence;
  /** Ids of the releases in the file if the file contains several releases. Otherwise empty. */
  readonly conflictingIds: readonly number[];
  /**
   * The releases that contain any member of an archive (`before`), and those of them that contain
   * every known member (`kept`). Null for fewer than two members, or if no member is known.
   */
  readonly inside: {
    readonly before: readonly Candidate[];
    readonly kept: readonly Candidate[];
  } | null;
}

/**
 * Reduces the evidence of an archive with several members. A member is known if any release
 * contains it. The evidence by hash is reduced to the releases that contain every known member. If
 * no release contains every known member, the archive contains several releases, and
 * `conflictingIds` lists their ids.
 */
export async function reduceEvidence(
  evidence: Evidence,
  { members }: Pick<Identity, 'members'>,
  slices: Slices,
): Promise<ReducedEvidence> {
  const some = members.filter(({ size }) => size > 0);
  if (some.length < 2) return { evidence, conflictingIds: [], inside: null };
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
    return {
      evidence,
      conflictingIds: candidates.map(({ releaseId }) => releaseId).sort((a, b) => a - b),
      inside: { before: candidates, kept: [] },
    };
  }
  if (known.size === 0) return { evidence, conflictingIds: [], inside: null };
  const ids = new Set(whole.map(({ releaseId }) => releaseId));
  const kept = (all: readonly Candidate[]) => all.filter(({ releaseId }) => ids.has(releaseId));
  const { sha1, md5, crc32 } = evidence;
  const left = { ...evidence, sha1: kept(sha1), md5: kept(md5), crc32: kept(crc32) };
  return { evidence: left, conflictingIds: [], inside: { before: candidates, kept: whole } };
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
