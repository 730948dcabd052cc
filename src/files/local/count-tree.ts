import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, isGone } from './disk-error.ts';

/**
 * Returns the number of regular files in a folder and all folders below it. Links to regular files
 * are included; links to folders are not followed. Folders below `top` that may not be read are
 * skipped.
 */
export async function countTree(top: string): Promise<number> {
  const folders = [top];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      for await (const entry of entriesOf(folder)) {
        if (entry.isDirectory()) folders.push(join(folder, entry.name));
        else if (await isFile(join(folder, entry.name), entry)) count += 1;
      }
    } catch (error) {
      if (folder === top || codeOf(error) !== 'EACCES') throw error;
    }
  }
  return count;
}

/**
 * Yields the entries of a folder in the order of the file system. Yields nothing if the folder does
 * not exist.
 */
export async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder, { bufferSize: 256 });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

async function isFile(path: string, entry: Dirent): Promise<boolean> {
  if (entry.isFile()) return true;
  if (!entry.isSymbolicLink()) return false;
  return stat(path).then(
    (target) => target.isFile(),
    () => false,
  );
}
