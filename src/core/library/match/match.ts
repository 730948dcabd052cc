import { filterInSlices, type Slices } from '../../shared/concurrency/slices.ts';
import type { Candidate, CandidateRom, Evidence } from './candidate.ts';
import { canonicalName, canonicalSheet, firstHash, firstImage, isImage } from './canonical-name.ts';
import { contradicts } from './edition.ts';
import type { Identity } from '../identity.ts';
import { type IdentifiedFile, type Match, type Method, methods } from '../library-file.ts';
import type { LookUp } from './look-up.ts';
import { besideOf, narrow } from './break-ties.ts';
import type { OneRelease } from './one-release.ts';
import { isJoined } from '../container-kinds.ts';
import { fits } from './platforms.ts';

/**
 * Version of the matching rules. Increase the version by one whenever the rules change, so that all
 * files are matched again.
 */
export const matchingRules = 9;

/** The result of matching a file. */
export interface Verdict {
  /** The matched release. Null if the evidence matches no release, or several releases. */
  readonly match: Match | null;
  /**
   * Ids of the remaining releases, in ascending order, if the evidence matches several releases.
   * Otherwise empty.
   */
  readonly tied: readonly number[];
}

/**
 * Returns the release that the strongest evidence matches (decisions.md, Minimal variant). If
 * several releases share the evidence, `narrow` compares everything else that is known. If several
 * releases remain, the result depends on the evidence:
 * - Hash: the release with the lowest id, because the bytes of the releases are the same.
 * - Serial or name: no release.
 *
 * An archive with members of several releases gets no release (see `ofOneRelease`).
 */
export async function matchFile(
  {
    file,
    lookUp,
    one,
  }: {
    file: IdentifiedFile;
    lookUp: LookUp;
    one: OneRelease;
  },
  slices: Slices,
): Promise<Verdict> {
  if (one.apart.length > 0) return { match: null, tied: one.apart };
  for (const method of methods) {
    const pointed = await pointedAt(method, one, { lookUp, file }, slices);
    const left = await narrow(pointed, lookUp, file.identity, { beside: besideOf(file), slices });
    const [best] = left;
    if (best === undefined) continue;
    const isHash = method !== 'serial' && method !== 'name';
    if (left.length > 1 && !isHash) {
      return { match: null, tied: left.map(({ releaseId }) => releaseId) };
    }
    const nameOf =
      file.identity.sheet.length > 0 && !isJoined(file) ? canonicalSheet : canonicalName;
    const canonical = await nameOf(best, method, lookUp, slices);
    return { match: { releaseId: best.releaseId, method, canonical }, tied: [] };
  }
  return { match: null, tied: [] };
}

/**
 * Returns the releases that one kind of evidence matches. Releases that contradict the values in
 * the file are left out.
 */
export async function pointedAt(
  method: Method,
  { evidence }: Pick<OneRelease, 'evidence'>,
  { lookUp, file }: { lookUp: LookUp; file: Pick<IdentifiedFile, 'identity' | 'hashes'> },
  slices: Slices,
): Promise<readonly Candidate[]> {
  const all = evidence[method];
  const { identity, hashes } = file;
  if (all.length === 0) return [];
  if (method === 'serial' || method === 'name') {
    return filterInSlices(
      all,
      (candidate) =>
        fits(identity.disc, candidate.platformKey) &&
        !contradicts(candidate, identity) &&
        // If the serial in the file matched nothing, a release with the same name but its own
        // serials is a different release. So a name counts only if the file or the release has no
        // serial.
        (method === 'serial' ||
          ((identity.serial === null || candidate.serials.length === 0) &&
            !isOtherDump(candidate, { identity, hashes }))),
      slices,
    );
  }
  if (method === 'sha1' || method === 'md5') {
    // Use only the first hash that matches a ROM. The hash of the whole file comes before the
    // hashes of its other forms. So a release that lists the dump with its header is preferred to a
    // release that lists the dump without it.
    const hash = await firstHash(lookUp[method], method, all, slices);
    if (hash === undefined) return [];
    const has = (rom: CandidateRom) => rom[method] === hash;
    const found = await filterInSlices(all, ({ roms }) => roms.some(has), slices);
    // If the file is not hashed yet, only its container states the hash. A stated hash is weaker
    // than the serial of the disc. So releases with other serials are left out until the file is
    // hashed.
    return hashes === null
      ? filterInSlices(found, (one) => !hasOtherSerial(one, evidence, identity), slices)
      : found;
  }
  const image = await firstImage(lookUp.images, all, slices);
  if (image === undefined) return [];
  return filterInSlices(all, ({ roms }) => roms.some((rom) => isImage(rom, image)), slices);
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
  if (hashes === null || !isNothingKnown(identity)) return false;
  if (roms.length === 0 || serials.length === 0) return false;
  return roms.every(({ sha1, md5, crc32 }) => sha1 || md5 || crc32);
}

/**
 * Returns true if only the bytes of a file can identify it, because no disc, track or cartridge
 * format was recognised in the file.
 */
function isNothingKnown({ disc, container, members, tracks }: Identity): boolean {
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
