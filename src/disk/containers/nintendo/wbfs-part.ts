import { access } from 'node:fs/promises';
import { type ImageFile, openImageFile, type ReadBudget } from '../../image-file.ts';

const PART = /\.wbf[1-9]$/i;

/**
 * Opens the first file of a split WBFS (`game.wbfs`). `path` is a later file (`game.wbf1` and so
 * on). A later file has no magic number, so only the extension is checked. Returns null if `path`
 * is not a later file, or if the first file does not exist.
 */
export async function openFirstWbfsPart(
  path: string,
  budget: ReadBudget,
): Promise<ImageFile | null> {
  if (!PART.test(path)) return null;
  const ending = path.endsWith(path.slice(-4).toUpperCase()) ? 'S' : 's';
  try {
    return await openImageFile(`${path.slice(0, -1)}${ending}`, budget);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Returns true if the second file (`.wbf1`) of a WBFS exists. `path` is the path of the first file.
 * The WBFS is then split, and the first file may end within a block.
 */
export async function hasNextPart(path: string): Promise<boolean> {
  if (!/\.wbfs$/i.test(path)) return false;
  return access(`${path.slice(0, -1)}1`).then(
    () => true,
    () => false,
  );
}
