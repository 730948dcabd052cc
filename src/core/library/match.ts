import { filterInSlices, type Slices } from '../shared/slices.ts';
import type { Candidate, CandidateRom, Evidence } from './candidate.ts';
import { canonicalName, canonicalSheet, firstHash, firstImage, isImage } from './canonical-name.ts';
import { contradicts } from './edition.ts';
import type { Identity } from './identity.ts';
import { type IdentifiedFile, type Match, type Method, methods } from './library-file.ts';
import type { LookUp } from './look-up.ts';
import { besideOf, narrow } from './narrow.ts';
import type { OneRelease } from './one-release.ts';
import { isJoined } from './packed.ts';
import { fits } from './platforms.ts';

/**
 * Version of the matching rules. Raise it by one whenever the rules change, so that every file is
 * matched again.
 */
export const matchingRules = 9;

/** The result of matching a file. */
export interface Verdict {
  /** The matched release. Null if the evidence matches no release, or several. */
  readonly match: Match | null;
  /**
   * Ids of the remaining releases, in ascending order, if the evidence matches several; else empty.
   */
  readonly tied: readonly number[];
}

/**
 * Returns the release that the strongest evidence matches (decisions.md, Minimal variant). If
 * several releases share evidence, `narrow` compares everything else that is known. If several
 * still share a hash, the one with the lowest id is returned, because their bytes are the same. If
 * several still share a serial or name, none is returned. An archive with members of several
 * releases gets no release (see `ofOneRelease`).
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
 * Returns the releases that one kind of evidence matches. Releases that contradict the file's own
 * statements are left out.
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
        // If the file states a serial that does not match, a release with the same name but its own
        // serials is a different release. So a name counts only if one of the two has no serial.
        (method === 'serial' ||
          ((identity.serial === null || candidate.serials.length === 0) &&
            !isOtherDump(candidate, { identity, hashes }))),
      slices,
    );
  }
  if (method === 'sha1' || method === 'md5') {
    // Use only the first hash that matches. A dump that is listed with its header is then matched
    // with that release, even if another one lists it without.
    const hash = await firstHash(lookUp[method], method, all, slices);
    if (hash === undefined) return [];
    const has = (rom: CandidateRom) => rom[method] === hash;
    const found = await filterInSlices(all, ({ roms }) => roms.some(has), slices);
    // The file is not hashed yet, so its hash is only stated by the container. A stated hash cannot
    // outweigh the disc's serial, so releases with other serials are left out until the file is
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
 * Whether a file is not one of a release's dumps, although its name matches. This is so if the file
 * was hashed and nothing was recognised in it. The release must have serials, and hashes for all
 * ROMs: the right disc would then state a serial or match a hash.
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
 * Whether only its bytes can identify a file: no disc, track or cartridge format was recognised in
 * it.
 */
function isNothingKnown({ disc, container, members, tracks }: Identity): boolean {
  if (disc !== null || tracks.length > 0) return false;
  return container === 'unknown' || (members.length > 0 && members.every(({ forms }) => !forms));
}

/** Whether a file states a serial, and the release has only other serials. */
function hasOtherSerial(
  { releaseId, serials }: Candidate,
  { serial }: Evidence,
  identity: IdentifiedFile['identity'],
): boolean {
  if (identity.serial === null || serials.length === 0) return false;
  return serial.every((one) => one.releaseId !== releaseId);
}
