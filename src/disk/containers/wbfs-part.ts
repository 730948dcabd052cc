import { access } from 'node:fs/promises';
import { type ImageFile, openImageFile, type ReadBudget } from '../image-file.ts';

const PART = /\.wbf[1-9]$/i;

/**
 * Opens the first file of the WBFS that `path` continues; returns null when there is none. The
 * later files of a split WBFS have no mark; only their extension shows what they are (`game.wbfs`,
 * `game.wbf1`, ...).
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

/** Returns whether another file continues a WBFS, which may end within a block. */
export async function goesOnElsewhere(path: string): Promise<boolean> {
  if (!/\.wbfs$/i.test(path)) return false;
  return access(`${path.slice(0, -1)}1`).then(
    () => true,
    () => false,
  );
}
