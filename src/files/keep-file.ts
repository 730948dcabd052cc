import { link, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptFile } from '../core/shared/file-area.ts';
import { asStorageError, codeOf, knowsNoLinks } from './disk-error.ts';
import { syncFolder } from './durable.ts';
import { isPlainName } from './locate.ts';
import { ownerMark } from './owner.ts';

/**
 * Keeps the current file `name` of `folder`, so that `putBack` can restore it. The file is kept as
 * a hard link in `tmp`, which is on the same file system. On a file system without hard links
 * nothing is kept. Then `putBack` rejects, and the folder stays as it is.
 */
export async function keepFile(
  { folder, tmp }: { folder: string; tmp: string },
  name: string,
): Promise<KeptFile> {
  const path = join(folder, name);
  const kept = join(tmp, ownerMark());
  const drop = () => rm(kept, { force: true }).catch(() => {}); // else swept at the next start
  const was = isPlainName(name) ? await linkIfFile(path, kept, tmp) : 'no file';
  return {
    async putBack() {
      if (was === 'no file') return;
      if (was === 'unkept') throw new Error(`${path}: its former version could not be kept`);
      if (was === 'kept') await rename(kept, path);
      else await rm(path, { force: true });
      await drop(); // if `path` still is that file, the rename leaves both names
      await syncFolder(folder).catch((error: unknown) => {
        if (was === 'kept' || codeOf(error) !== 'ENOENT') throw error;
      });
    },
    drop,
  };
}

/** Links the file if it exists. A folder is never linked or replaced. */
async function linkIfFile(
  path: string,
  kept: string,
  tmp: string,
): Promise<'kept' | 'absent' | 'no file' | 'unkept'> {
  try {
    if ((await lstat(path)).isDirectory()) return 'no file';
    await mkdir(tmp, { recursive: true });
    await link(path, kept);
    return 'kept';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'absent';
    if (knowsNoLinks(error)) return 'unkept';
    throw asStorageError(error);
  }
}
