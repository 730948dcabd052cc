import { refused } from '../../../core/shared/errors.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import type { ChdHeader } from './header.ts';
import type { HunkMap } from './hunk.ts';
import { readFourthMap } from './map-4.ts';
import { readFifthMap, readPlainMap } from './map-5.ts';

/**
 * Maximum number of hunks. This is enough for 16 GiB in hunks of 4 KiB, the smallest common size. A
 * map of this length takes up to 64 MiB of memory.
 */
const MOST_HUNKS = 2 ** 22;

/**
 * Reads the map, which states the position of each hunk. Throws a refused `CatalogError` if the map
 * is truncated or damaged, or states impossible values.
 */
export async function readHunkMap(file: ImageBytes, header: ChdHeader): Promise<HunkMap> {
  const count = Math.ceil(header.size / header.hunkBytes);
  if (count > MOST_HUNKS) throw refused(`it has ${count} hunks; at most ${MOST_HUNKS} are read`);
  if (header.version === 4) return readFourthMap(file, header, count);
  if (header.codecs.length === 0) return readPlainMap(file, header, count);
  return readFifthMap(file, header, count);
}
