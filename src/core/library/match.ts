import { normaliseSerials } from '../shared/serial.ts';
import type { DiscKind, Identity } from './identity.ts';
import { type IdentifiedFile, type Match, type Method, methods } from './library-file.ts';

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

/**
 * The release that the strongest evidence points at (decisions.md, Minimal variant). Serial and name point only at
 * platforms that fit the format; when several releases share the evidence, the file's own serial decides, then its
 * size, then its name, then the lowest id. Null when nothing points anywhere.
 */
export function matchFile(file: IdentifiedFile, evidence: Evidence): Match | null {
  const lookUp = lookUpOf(file);
  for (const method of methods) {
    const best = decide(pointedAt(method, evidence, lookUp, file.identity.disc), lookUp);
    if (best !== undefined) {
      return { releaseId: best.releaseId, method, canonical: canonicalName(best, method, lookUp) };
    }
  }
  return null;
}

function pointedAt(
  method: Method,
  evidence: Evidence,
  lookUp: LookUp,
  disc: Identity['disc'],
): readonly Candidate[] {
  const all = evidence[method];
  if (method === 'serial' || method === 'name') {
    return all.filter((candidate) => fits(disc, candidate.platformKey));
  }
  if (method !== 'crc32') return all;
  for (const image of lookUp.images) {
    const found = all.filter((candidate) => candidate.roms.some((rom) => isImage(rom, image)));
    if (found.length > 0) return found;
  }
  return [];
}

function isImage(rom: CandidateRom, image: { crc32: string; size: number }): boolean {
  return rom.crc32 === image.crc32 && rom.size === image.size;
}

function decide(candidates: readonly Candidate[], lookUp: LookUp): Candidate | undefined {
  const tests: ((candidate: Candidate) => boolean)[] = [
    (candidate) => candidate.serials.some((serial) => lookUp.serials.includes(serial)),
    (candidate) => candidate.roms.some((rom) => rom.size === lookUp.size),
    (candidate) => lookUp.names.some((name) => isNamed(candidate, name)),
  ];
  let left = [...candidates];
  for (const test of tests) {
    const passing = left.filter(test);
    if (passing.length > 0) left = passing;
  }
  return left.sort((a, b) => a.releaseId - b.releaseId)[0];
}

function isNamed(candidate: Candidate, name: string): boolean {
  return candidate.names.includes(name) || candidate.roms.some((rom) => rom.name === name);
}

/** The ROM that matched, else the one of the image's size, else the first. */
function canonicalName(candidate: Candidate, method: Method, lookUp: LookUp): string | null {
  const { roms } = candidate;
  const bySize = roms.find((rom) => rom.size === lookUp.size);
  return (matchedRom(roms, method, lookUp) ?? bySize ?? roms[0])?.name ?? null;
}

function matchedRom(
  roms: readonly CandidateRom[],
  method: Method,
  lookUp: LookUp,
): CandidateRom | undefined {
  if (method === 'sha1' || method === 'md5') {
    return roms.find((rom) => lookUp[method].includes(rom[method]));
  }
  if (method === 'name') return roms.find((rom) => lookUp.names.includes(rom.name));
  if (method === 'serial') return undefined;
  const image = lookUp.images.find((one) => roms.some((rom) => isImage(rom, one)));
  return image && roms.find((rom) => isImage(rom, image));
}

/** Which platforms a disc can belong to, by the letters and digits of their names. */
const platforms: Readonly<Record<DiscKind, RegExp>> = {
  psp: /^sonyplaystationportable(?!umd)/,
  'umd-video': /^sonyplaystationportableumdvideo/,
  'umd-audio': /^sonyplaystationportableumdmusic/,
  psx: /^sonyplaystation(?!\d|portable(?!psx2psp)|vita|mobile)/,
  ps2: /^sonyplaystation2/,
  gamecube: /^nintendogamecube/,
  wii: /^nintendowii(?!u)/,
  saturn: /^segasaturn/,
  'mega-cd': /^segamegacd/,
  dreamcast: /^segadreamcast/,
};

function fits(disc: Identity['disc'], platformKey: string): boolean {
  return disc === null || platforms[disc].test(platformKey);
}
