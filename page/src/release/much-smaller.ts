import type { LibraryFile, Rom } from '../api/model.ts';

/**
 * The share of its ROM's size below which a file is probably not that ROM. Compressed images are
 * rarely that small.
 */
const share = 0.05;

/** Files that describe a disc are small, whatever the size of its tracks. */
const sheet = /\.(?:cue|gdi|ccd|toc|mds|m3u)$/i;

/**
 * Returns true if a file of the library is much smaller than the ROM it was matched with. Files
 * that were matched by a hash are not; their size does not matter.
 */
export function isMuchSmaller(
  { name, rom, size, method }: Pick<LibraryFile, 'name' | 'rom' | 'size' | 'method'>,
  roms: readonly Pick<Rom, 'name' | 'size'>[],
): boolean {
  if (method === 'sha1' || method === 'md5' || method === 'crc32' || sheet.test(name)) return false;
  const matched = roms.find((each) => each.name === rom);
  const expected = matched?.size ?? Math.max(0, ...roms.map((each) => each.size));
  return size < expected * share;
}
