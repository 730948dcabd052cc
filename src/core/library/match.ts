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
 * Version of the matching rules. Raise it by one whenever they change: every file is then matched
 * again.
 */
export const matchingRules = 9;

/** The result of weighing the evidence. */
export interface Verdict {
  /** Null if no evidence matches a release, or if it matches several. */
  readonly match: Match | null;
  /** The releases that are left if the evidence matches several, by id; else empty. */
  readonly tied: readonly number[];
}

/**
 * Returns the release that the strongest evidence matches (decisions.md, Minimal variant). Releases
 * that share evidence are narrowed by everything else that is known (`narrow`). If a hash is then
 * left to several, the lowest id is taken, because they have the same bytes; a serial or name
 * decides nothing. An archive with members of several releases is not matched with any of them
 * (`ofOneRelease`).
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
 * Returns the releases that one kind of evidence matches, without those that the file's own
 * statements exclude.
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
        // A release of that name that has serials is another one if the file states a different
        // serial.
        (method === 'serial' ||
          ((identity.serial === null || candidate.serials.length === 0) &&
            !isOtherDump(candidate, { identity, hashes }))),
      slices,
    );
  }
  if (method === 'sha1' || method === 'md5') {
    // A dump that is listed with its header counts as that, even if it is also listed without it.
    const hash = await firstHash(lookUp[method], method, all, slices);
    if (hash === undefined) return [];
    const has = (rom: CandidateRom) => rom[method] === hash;
    const found = await filterInSlices(all, ({ roms }) => roms.some(has), slices);
    // A hash that the container merely states is not evidence against the serial of the disc in it:
    // hashing decides.
    return hashes === null
      ? filterInSlices(found, (one) => !hasOtherSerial(one, evidence, identity), slices)
      : found;
  }
  const image = await firstImage(lookUp.images, all, slices);
  if (image === undefined) return [];
  return filterInSlices(all, ({ roms }) => roms.some((rom) => isImage(rom, image)), slices);
}

/**
 * Whether a file's bytes are not one of a release's dumps. This counts only if the file states
 * nothing although the release's disc would state its serial.
 */
function isOtherDump(
  { roms, serials }: Candidate,
  { identity, hashes }: Pick<IdentifiedFile, 'identity' | 'hashes'>,
): boolean {
  if (hashes === null || !isNothingKnown(identity)) return false;
  if (roms.length === 0 || serials.length === 0) return false;
  return roms.every(({ sha1, md5, crc32 }) => sha1 || md5 || crc32);
}

/** Whether a file gives no sign of what it is, apart from its bytes. */
function isNothingKnown({ disc, container, members, tracks }: Identity): boolean {
  if (disc !== null || tracks.length > 0) return false;
  return container === 'unknown' || (members.length > 0 && members.every(({ forms }) => !forms));
}

/** Whether a file states a serial and the release has only other ones. */
function hasOtherSerial(
  { releaseId, serials }: Candidate,
  { serial }: Evidence,
  identity: IdentifiedFile['identity'],
): boolean {
  if (identity.serial === null || serials.length === 0) return false;
  return serial.every((one) => one.releaseId !== releaseId);
}
