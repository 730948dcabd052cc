import type { BigIntStats } from 'node:fs';
import { link, lstat, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidFilename } from '../core/shared/errors.ts';
import type { StagedFile } from '../core/shared/file-area.ts';
import { codeOf, knowsNoLinks } from './disk-error.ts';
import { makeFolder, syncFolder } from './durable.ts';
import { isPlainName, locate, storedFile } from './locate.ts';
import type { OwnFiles } from './own-files.ts';

/**
 * Returns the functions that give the file at `path` its name in `folder`, and that take the name
 * back. The file must be synced to disk and on the same file system as the folder. It cannot take
 * the name of one of the `own` files.
 */
export function publishable(
  path: string,
  folder: string,
  own?: OwnFiles,
): Pick<StagedFile, 'publish' | 'takeBack'> {
  let published: string | null = null;
  return {
    async publish(name) {
      if (!isPlainName(name)) throw invalidFilename();
      await makeFolder(folder);
      const replaced = await locate(folder, name);
      if (replaced !== null && own?.has(replaced.stat)) throw invalidFilename();
      const stat = await giveFreshTime(path, replaced?.stat.mtimeNs);
      await rename(path, join(folder, name)).catch((error: unknown) => {
        throw codeOf(error) === 'EISDIR' ? invalidFilename() : error;
      });
      published = join(folder, name);
      await syncFolder(folder);
      return storedFile(name, stat);
    },
    async takeBack() {
      if (published === null) return;
      const from = published;
      published = null;
      await link(from, path).catch((error: unknown) => {
        if (!knowsNoLinks(error)) throw error;
        return rename(from, path);
      });
    },
  };
}

let lastTime = 0;

/**
 * A replaced file whose time is further ahead of the clock than this, in milliseconds, was written
 * under a wrong clock. The new file's time then need not be later.
 */
const maxAheadMs = 60_000;
/**
 * Maximum step in milliseconds by which a time is increased. FAT stores modification times in steps
 * of 2 s.
 */
const maxStepMs = 4_000;

/**
 * Sets the modification time to now, but later than every time that this process set before. The
 * time is also later than that of the replaced file, which another process may have written. A file
 * system's own clock may stand still for up to 10 ms. Without different times, two files could get
 * the same tag, or neither of two covers would be newer.
 */
async function giveFreshTime(path: string, replacedNs: bigint | undefined): Promise<BigIntStats> {
  const replaced = replacedNs === undefined ? 0 : Number(replacedNs) / 1e6;
  let earliest = 0;
  for (let step = 0.01; ; step *= 2) {
    lastTime = Math.max(Date.now(), lastTime + 0.01, earliest);
    const isAhead = replaced > lastTime + maxAheadMs;
    await utimes(path, lastTime / 1000, lastTime / 1000);
    const stat = await lstat(path, { bigint: true });
    if (replacedNs === undefined || stat.mtimeNs > replacedNs || isAhead || step > maxStepMs) {
      return stat;
    }
    earliest = replaced + step;
  }
}
