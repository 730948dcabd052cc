import type { LibraryFile, Rom } from '../api/model.ts';

/**
 * Minimum size of a file as a share of its ROM's size. A smaller file is probably not that ROM,
 * because compressed images are rarely so small.
 */
const share = 0.05;

/**
 * Matches the names of files that describe a disc. Such files are small, whatever the size of the
 * disc's tracks.
 */
const sheet = /\.(?:cue|gdi|ccd|toc|mds|m3u)$/i;

/**
 * Returns true if a library file is much smaller than its matched ROM. Returns false for files that
 * describe a disc, and for files that were matched by a hash.
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
