import { normaliseSerials } from '../shared/serial.ts';
import { canonicalName, isImage } from './canonical-name.ts';
import { contradicts } from './edition.ts';
import { type IdentifiedFile, type Match, type Method, methods } from './library-file.ts';
import { narrow } from './narrow.ts';
import { fits } from './platforms.ts';

/** Raised by one whenever the rules of matching change: every file is then matched again. */
export const matchingRules = 2;

/** A ROM of the catalogue as it may stand for a file. */
export interface CandidateRom {
  readonly name: string;
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/** A release that some piece of evidence points at. */
export interface Candidate {
  readonly releaseId: number;
  /** Its own, then those under which other sources list it. */
  readonly names: readonly string[];
  /** As it is shown, such as `USA, Canada`; "" when no source says. */
  readonly region: string;
  /** See `platformKey`. */
  readonly platformKey: string;
  /** Normalised, see `normaliseSerials`. */
  readonly serials: readonly string[];
  readonly roms: readonly CandidateRom[];
}

/** What each piece of evidence points at, before the format is considered. */
export type Evidence = Readonly<Record<Method, readonly Candidate[]>>;

/** What a file is looked up by; "" or an empty list where it has none. */
export interface LookUp {
  /** That of the file, those that its container states of the image and of itself. */
  readonly sha1: readonly string[];
  readonly md5: readonly string[];
  /** Images by crc32 and size: that of the file, then a zip's members in their order; the first that matches counts. */
  readonly images: readonly { crc32: string; size: number }[];
  /** Bytes of the image; null when unknown. */
  readonly size: number | null;
  readonly serials: readonly string[];
  /** The first four letters of a Nintendo id6, which stand inside a printed serial such as DL-DOL-GW7P-EUR. */
  readonly gameCode: string;
  /** The file's name, and that without its ending. */
  readonly names: readonly string[];
}

/** What a file is looked up by in the catalogue. */
export function lookUpOf(file: IdentifiedFile): LookUp {
  const { identity } = file;
  // Of an empty file the hashes say nothing: every empty ROM has them.
  const hashes = file.hashes?.size === 0 ? null : file.hashes;
  const [member] = identity.members;
  const isNintendo = identity.disc === 'gamecube' || identity.disc === 'wii';
  const serial = identity.serial ?? '';
  const plain = file.name.replace(/\.[^.]{1,5}$/, '');
  return {
    sha1: [hashes?.sha1, identity.sha1, identity.statedSha1].filter(
      (sha1) => typeof sha1 === 'string',
    ),
    md5: hashes ? [hashes.md5] : [],
    images: [...(hashes ? [hashes] : []), ...identity.members]
      .map(({ crc32, size }) => ({ crc32, size }))
      .filter(({ size }) => size > 0),
    size: identity.imageSize ?? file.hashes?.size ?? null,
    // Redump drops the maker's prefix of Sega's own numbers: MK-81079 on the disc is 81079 in the DAT.
    serials: [...normaliseSerials(serial), ...normaliseSerials(serial.replace(/^MK-(?=\d)/, ''))],
    gameCode: isNintendo ? serial.slice(0, 4).toUpperCase() : '',
    names: [...new Set([file.name, plain, ...(member ? [member.name] : [])])],
  };
}

/** What the evidence comes to. */
export interface Verdict {
  /** Null when nothing points anywhere, or something at several releases. */
  readonly match: Match | null;
  /** The releases that are left when evidence points at several, by id; else empty. */
  readonly tied: readonly number[];
}

/**
 * The release that the strongest evidence points at (decisions.md, Minimal variant). What several releases share is
 * narrowed by what else is known (`narrow`); a hash that is then left to several goes to the one with the lowest id,
 * because they have the same bytes, while serial and name decide nothing.
 */
export function matchFile(file: IdentifiedFile, evidence: Evidence): Verdict {
  const lookUp = lookUpOf(file);
  for (const method of methods) {
    const left = narrow(pointedAt(method, evidence, lookUp, file), lookUp, file.identity);
    const [best] = left;
    if (best === undefined) continue;
    const isHash = method !== 'serial' && method !== 'name';
    if (left.length > 1 && !isHash) {
      return { match: null, tied: left.map(({ releaseId }) => releaseId) };
    }
    const canonical = canonicalName(best, method, lookUp);
    return { match: { releaseId: best.releaseId, method, canonical }, tied: [] };
  }
  return { match: null, tied: [] };
}

function pointedAt(
  method: Method,
  evidence: Evidence,
  lookUp: LookUp,
  { identity }: IdentifiedFile,
): readonly Candidate[] {
  const all = evidence[method];
  if (method === 'serial' || method === 'name') {
    return all.filter(
      (candidate) =>
        fits(identity.disc, candidate.platformKey) &&
        !contradicts(candidate, identity.edition) &&
        // A release of that name that has serials, of which the file states none, is another.
        (method === 'serial' || identity.serial === null || candidate.serials.length === 0),
    );
  }
  if (method !== 'crc32') return all;
  for (const image of lookUp.images) {
    const found = all.filter((candidate) => candidate.roms.some((rom) => isImage(rom, image)));
    if (found.length > 0) return found;
  }
  return [];
}
