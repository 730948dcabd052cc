import type { BigIntStats } from 'node:fs';
import { link, lstat, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidFilename } from '../../core/shared/errors.ts';
import type { StagedFile, StoredFile } from '../../core/shared/files/file-area.ts';
import type { OwnFiles } from '../own-files.ts';
import { codeOf, isLinkUnsupported } from './disk-error.ts';
import { makeFolder, syncFolder } from './durable.ts';
import { isPlainName, locate, storedFile } from './locate.ts';

/**
 * Returns functions that publish the file at `path` under a name in `folder`, and that undo the
 * publication. The file must be synced to disk and on the same file system as the folder.
 * Publishing under the name of an `own` file is refused.
 */
export function createPublisher(
  path: string,
  folder: string,
  own?: OwnFiles,
): Pick<StagedFile, 'publish' | 'takeBack'> {
  let published: StoredFile | null = null;
  return {
    async publish(name) {
      if (!isPlainName(name)) throw invalidFilename();
      await makeFolder(folder);
      const replaced = await locate(folder, name);
      if (replaced !== null && own?.has(replaced.stat)) throw invalidFilename();
      const stat = await setFreshTime(path, replaced?.stat.mtimeNs);
      await rename(path, join(folder, name)).catch((error: unknown) => {
        throw codeOf(error) === 'EISDIR' ? invalidFilename() : error;
      });
      published = storedFile(name, stat);
      await syncFolder(folder);
      return published;
    },
    async takeBack() {
      if (published === null) return;
      const { name, etag } = published;
      const from = join(folder, name);
      published = null;
      const current = await locate(folder, name);
      if (current === null || storedFile(name, current.stat).etag !== etag)
        throw new Error(`${from} is not the file that was published`);
      await link(from, path).catch(async (error: unknown) => {
        if (!isLinkUnsupported(error)) throw error;
        await rename(from, path);
        await syncFolder(folder);
      });
    },
  };
}

let lastTime = 0;

/**
 * Limit in milliseconds for how far a replaced file's time may be ahead of the clock. A time beyond
 * this limit was set under a wrong clock. The new file's time then need not be later.
 */
const maxAheadMs = 60_000;
/**
 * Maximum step in milliseconds by which a time is increased. FAT stores modification times in steps
 * of 2 s.
 */
const maxStepMs = 4_000;

/**
 * Sets the modification time of the file at `path` to the current time, and returns the file's
 * state. The new time is later than every time that this process set before. The new time is also
 * later than that of the replaced file, which another process may have written. The time that the
 * file system assigned is not used, because its clock may advance only every 10 ms. With equal
 * times, two files could get the same entity tag, or neither of two covers would be newer.
 */
async function setFreshTime(path: string, replacedNs: bigint | undefined): Promise<BigIntStats> {
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
