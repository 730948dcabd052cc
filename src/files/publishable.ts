import { link, lstat, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidFilename } from '../core/shared/errors.ts';
import type { StagedFile } from '../core/shared/file-area.ts';
import { codeOf, knowsNoLinks } from './disk-error.ts';
import { makeFolder, syncFolder } from './durable.ts';
import { isPlainName, storedFile } from './locate.ts';

/** The file at `path`, safe on disk, as what can get a name in `folder`, which is on the same file system. */
export function publishable(
  path: string,
  folder: string,
): Pick<StagedFile, 'publish' | 'takeBack'> {
  let published: string | null = null;
  return {
    async publish(name) {
      if (!isPlainName(name)) throw invalidFilename();
      await makeFolder(folder);
      const seconds = freshTime() / 1000;
      await utimes(path, seconds, seconds);
      const stat = await lstat(path, { bigint: true });
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
 * Now, in milliseconds, and later than every time before: a file system's own clock stands still for up to 10 ms,
 * in which two files could get one tag, or neither of two covers be the newer one.
 */
function freshTime(): number {
  lastTime = Math.max(Date.now(), lastTime + 0.01);
  return lastTime;
}
