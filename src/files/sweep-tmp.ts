import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refused } from '../core/shared/errors.ts';
import { isSystemError, systemReason } from '../core/shared/system-reason.ts';
import { entriesOf } from './local/count-tree.ts';
import { isAbandoned } from './process-mark.ts';
import { uploadsFolder } from './uploads/upload-files.ts';

/**
 * Removes from `tmp` the leftovers of dead processes (see `isAbandoned`), except unfinished
 * uploads, which other processes continue. Returns the number of removed entries. Throws refused()
 * if an entry cannot be removed.
 */
export async function sweepTmp(tmp: string): Promise<number> {
  let removed = 0;
  for await (const entry of entriesOf(tmp)) {
    if (entry.name === uploadsFolder) continue;
    const path = join(tmp, entry.name);
    const stat = await lstat(path).catch(() => null); // another process finished the work meanwhile
    if (stat === null || !isAbandoned(entry.name, stat.mtimeMs)) continue;
    await rm(path, { recursive: true, force: true }).catch((error: unknown) => {
      throw isSystemError(error)
        ? refused(
            `cannot remove ${path}, a leftover of an interrupted change: ${systemReason(error)}`,
            error,
          )
        : error;
    });
    removed += 1;
  }
  return removed;
}
