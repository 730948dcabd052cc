import type { Candidate, CandidateRom } from './candidate.ts';
import type { Method } from './library-file.ts';
import type { LookUp } from './look-up.ts';

/** The name of the ROM that matched, else of the one of the image's size, else of the first; null without ROMs. */
export function canonicalName({ roms }: Candidate, method: Method, lookUp: LookUp): string | null {
  const bySize = roms.find((rom) => rom.size === lookUp.size);
  return (matchedRom(roms, method, lookUp) ?? bySize ?? roms[0])?.name ?? null;
}

/** The same of a sheet, which is none of the tracks: the ROM that matched, else the only one with the sheet's ending. */
export function canonicalSheet({ roms }: Candidate, method: Method, lookUp: LookUp): string | null {
  const [name = ''] = lookUp.names;
  const ending = name.slice(name.lastIndexOf('.')).toLowerCase();
  const [only, ...others] = roms.filter((rom) => rom.name.toLowerCase().endsWith(ending));
  return (
    (matchedRom(roms, method, lookUp) ?? (others.length === 0 ? only : undefined))?.name ?? null
  );
}

function matchedRom(
  roms: readonly CandidateRom[],
  method: Method,
  lookUp: LookUp,
): CandidateRom | undefined {
  if (method === 'sha1' || method === 'md5') {
    const hash = firstHash(lookUp[method], method, [{ roms }]);
    return hash === undefined ? undefined : roms.find((rom) => rom[method] === hash);
  }
  if (method === 'name') return roms.find((rom) => lookUp.names.includes(rom.name));
  if (method === 'serial') return undefined;
  const image = firstImage(lookUp.images, [{ roms }]);
  return image && roms.find((rom) => isImage(rom, image));
}

/** The first of these hashes that a ROM of some releases has. An archive has many members, and a release many ROMs. */
export function firstHash(
  hashes: readonly string[],
  method: 'sha1' | 'md5',
  releases: readonly Pick<Candidate, 'roms'>[],
): string | undefined {
  const wanted = new Set(hashes);
  const known = new Set<string>();
  for (const { roms } of releases) {
    for (const rom of roms) if (wanted.has(rom[method])) known.add(rom[method]);
  }
  return hashes.find((hash) => known.has(hash));
}

/** The same of images. */
export function firstImage<Image extends { readonly crc32: string; readonly size: number }>(
  images: readonly Image[],
  releases: readonly Pick<Candidate, 'roms'>[],
): Image | undefined {
  const wanted = new Set(images.map(({ crc32 }) => crc32));
  const known = new Set<string>();
  for (const { roms } of releases) {
    for (const rom of roms) if (wanted.has(rom.crc32)) known.add(imageKey(rom));
  }
  return images.find((image) => known.has(imageKey(image)));
}

export const imageKey = ({ crc32, size }: { crc32: string; size: number }) => `${crc32}:${size}`;

/** Whether a ROM has the CRC-32 and size of an image. */
export function isImage(rom: CandidateRom, image: { crc32: string; size: number }): boolean {
  return rom.crc32 === image.crc32 && rom.size === image.size;
}
