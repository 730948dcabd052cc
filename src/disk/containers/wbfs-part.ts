import { access } from 'node:fs/promises';
import { type ImageFile, openImageFile, type ReadBudget } from '../image-file.ts';

const PART = /\.wbf[1-9]$/i;

/**
 * Opens the first file of the split WBFS (`game.wbfs`) to which the later file `path` (`game.wbf1`,
 * ...) belongs. Only the extension shows a later file, because it has no mark. Returns null if
 * `path` is not a later file, or if the first file does not exist.
 */
export async function openStartOfWbfs(path: string, budget: ReadBudget): Promise<ImageFile | null> {
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
 * Returns whether a WBFS is the first file of a split one: its second file (`.wbf1`) exists. The
 * first file may end within a block.
 */
export async function goesOnElsewhere(path: string): Promise<boolean> {
  if (!/\.wbfs$/i.test(path)) return false;
  return access(`${path.slice(0, -1)}1`).then(
    () => true,
    () => false,
  );
}
