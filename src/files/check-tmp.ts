import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { insufficientStorage } from '../core/shared/errors.ts';
import { freeBytes } from './free-bytes.ts';
import { asStorageError } from './local/disk-error.ts';
import { ownerMark } from './process-mark.ts';

/** Space that uploads, thumbnails and imports may need in `tmp`, in bytes. */
const minFreeBytes = 64 * 1024 * 1024;

/**
 * Checks that the folder for temporary files is writable and has 64 MiB of free space. Throws
 * insufficientStorage() if there is less. Throws the error of the system if a write fails.
 */
export async function checkTmp(tmp: string): Promise<void> {
  // If this process is killed meanwhile, the next one removes the file, because of its name.
  const file = join(tmp, ownerMark());
  try {
    await mkdir(tmp, { recursive: true });
    await writeFile(file, 'x', { flag: 'wx' }).finally(() => rm(file, { force: true }));
  } catch (error) {
    throw asStorageError(error);
  }
  if ((await freeBytes(tmp)) < minFreeBytes) throw insufficientStorage();
}
