import { link, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PreviousFile } from '../../core/shared/files/file-area.ts';
import { ownerMark } from '../process-mark.ts';
import { asStorageError, codeOf, isGone, isLinkUnsupported } from './disk-error.ts';
import { syncFolder } from './durable.ts';
import { isPlainName } from './locate.ts';

/**
 * Saves the current file `name` of `folder`, so that `restore` can restore the file. The file is
 * saved as a hard link in `tmp`, which must be on the same file system. On a file system without
 * hard links, nothing is saved. Then `restore` rejects and does not change the folder.
 */
export async function keepFile(
  { folder, tmp }: { folder: string; tmp: string },
  name: string,
): Promise<PreviousFile> {
  const path = join(folder, name);
  const saved = join(tmp, ownerMark());
  const release = () => rm(saved, { force: true }).catch(() => {}); // a leftover is swept later
  const was = isPlainName(name) ? await linkIfFile(path, saved, tmp) : 'no file';
  return {
    isRestorable: was !== 'unkept',
    async restore() {
      if (was === 'no file') return;
      if (was === 'unkept') throw new Error(`${path}: could not keep the previous version`);
      if (was === 'kept') await rename(saved, path);
      // A sync that is not necessary could fail, and the caller would restore no further file.
      else if (!(await removeIfExists(path))) return;
      await release(); // the rename does nothing if both names already link to the same file
      await syncFolder(folder);
    },
    release,
  };
}

/** Removes a file. Returns false if it does not exist. */
async function removeIfExists(path: string): Promise<boolean> {
  try {
    await rm(path);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/**
 * Creates the hard link `saved` to the file at `path`. Returns 'absent' if there is no file, 'no
 * file' for a folder, and 'unkept' if hard links are impossible.
 */
async function linkIfFile(
  path: string,
  saved: string,
  tmp: string,
): Promise<'kept' | 'absent' | 'no file' | 'unkept'> {
  try {
    if ((await lstat(path)).isDirectory()) return 'no file';
    await mkdir(tmp, { recursive: true });
    await link(path, saved);
    return 'kept';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'absent';
    if (isLinkUnsupported(error)) return 'unkept';
    throw asStorageError(error);
  }
}
