import { filterInSlices, forEachInSlices, type Slices } from '../../shared/concurrency/slices.ts';
import type { Method } from '../library-file.ts';
import type { Candidate, CandidateRom } from './candidate.ts';
import type { LookupKeys } from './lookup-keys.ts';

/**
 * Returns the name that a file should have: the name of the ROM that matched. If no ROM matched,
 * returns the name of the ROM with the image's size, else of the first ROM. Returns null if the
 * release has no ROMs.
 */
export async function canonicalName(
  { roms }: Candidate,
  method: Method,
  lookupKeys: LookupKeys,
  slices: Slices,
): Promise<string | null> {
  if (slices.isOver) await slices.next();
  const bySize = roms.find((rom) => rom.size === lookupKeys.size);
  return ((await matchedRom(roms, method, lookupKeys, slices)) ?? bySize ?? roms[0])?.name ?? null;
}

/**
 * Returns the name that a sheet should have: the name of the ROM that matched. If no ROM matched,
 * returns the name of the only ROM with the sheet's file extension. Returns null if the sheet has
 * no extension, or if no ROM or several ROMs have this extension.
 */
export async function canonicalSheet(
  { roms }: Candidate,
  method: Method,
  lookupKeys: LookupKeys,
  slices: Slices,
): Promise<string | null> {
  const [name = ''] = lookupKeys.names;
  const dot = name.lastIndexOf('.');
  const ending = name.slice(dot).toLowerCase();
  const hasEnding = (rom: CandidateRom) => dot >= 0 && rom.name.toLowerCase().endsWith(ending);
  const [only, ...others] = await filterInSlices(roms, hasEnding, slices);
  const matched = await matchedRom(roms, method, lookupKeys, slices);
  return (matched ?? (others.length === 0 ? only : undefined))?.name ?? null;
}

async function matchedRom(
  roms: readonly CandidateRom[],
  method: Method,
  lookupKeys: LookupKeys,
  slices: Slices,
): Promise<CandidateRom | undefined> {
  if (method === 'sha1' || method === 'md5') {
    const hash = await firstHash(lookupKeys[method], method, [{ roms }], slices);
    return hash === undefined ? undefined : roms.find((rom) => rom[method] === hash);
  }
  if (method === 'name') return roms.find((rom) => lookupKeys.names.includes(rom.name));
  if (method === 'serial') return undefined;
  const image = await firstImage(lookupKeys.images, [{ roms }], slices);
  return image && roms.find((rom) => isImage(rom, image));
}

/**
 * Returns the first hash in `hashes` that a ROM of these releases has. Returns undefined if there
 * is no such hash. Works in slices, because an archive can have many members and a release can have
 * many ROMs.
 */
export async function firstHash(
  hashes: readonly string[],
  method: 'sha1' | 'md5',
  releases: readonly Pick<Candidate, 'roms'>[],
  slices: Slices,
): Promise<string | undefined> {
  const wanted = new Set(hashes);
  const known = new Set<string>();
  const addKnown = ({ roms }: Pick<Candidate, 'roms'>) => {
    for (const rom of roms) if (wanted.has(rom[method])) known.add(rom[method]);
  };
  await forEachInSlices(releases, addKnown, slices);
  return hashes.find((hash) => known.has(hash));
}

/**
 * Returns the first image in `images` for which a ROM of these releases has the same CRC-32 and
 * size. Returns undefined if there is no such image. Works in slices, for the same reason as
 * `firstHash`.
 */
export async function firstImage<Image extends { readonly crc32: string; readonly size: number }>(
  images: readonly Image[],
  releases: readonly Pick<Candidate, 'roms'>[],
  slices: Slices,
): Promise<Image | undefined> {
  const wanted = new Set(images.map(({ crc32 }) => crc32));
  const known = new Set<string>();
  const addKnown = ({ roms }: Pick<Candidate, 'roms'>) => {
    for (const rom of roms) if (wanted.has(rom.crc32)) known.add(imageKey(rom));
  };
  await forEachInSlices(releases, addKnown, slices);
  return images.find((image) => known.has(imageKey(image)));
}

export const imageKey = ({ crc32, size }: { crc32: string; size: number }) => `${crc32}:${size}`;

/** Returns true if a ROM has the CRC-32 and the size of an image. */
export function isImage(rom: CandidateRom, image: { crc32: string; size: number }): boolean {
  return rom.crc32 === image.crc32 && rom.size === image.size;
}
