import { open, opendir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadableFolder, WrittenFolder } from '../core/doctor/ports.ts';
import { systemReason } from '../core/shared/system-reason.ts';
import { fileSystemProblem } from './data-folder.ts';
import { ownerMark } from './process-mark.ts';

const emptyReport = { doubt: null, freeBytes: 0, freeFiles: null, clockAheadMs: 0 };

/**
 * Checks the free space, the clock and the writability of a data folder. Writes a test file and
 * removes it afterwards. Never throws: a failure is returned as `problem`.
 */
export async function examineWritableFolder(folder: string): Promise<WrittenFolder> {
  try {
    const { bavail, bsize, ffree, files, type } = await statfs(folder);
    const kind = fileSystemProblem(folder, type);
    if (kind?.isRefused) return { ...emptyReport, problem: kind.message };
    return {
      problem: null,
      doubt: kind?.message ?? null,
      freeBytes: bavail * bsize,
      freeFiles: files === 0 ? null : ffree,
      clockAheadMs: await measureClockAhead(join(folder, ownerMark())),
    };
  } catch (error) {
    return { ...emptyReport, problem: systemReason(error) };
  }
}

/**
 * Writes a file and removes it. Returns by how many milliseconds the file's modification time was
 * ahead of the system's clock.
 */
async function measureClockAhead(path: string): Promise<number> {
  try {
    const handle = await open(path, 'wx', 0o600);
    await handle.writeFile('x').finally(() => handle.close());
    return (await stat(path)).mtimeMs - Date.now();
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Checks whether a library root can be read, by reading its first entry. Never throws: a failure is
 * returned as `problem`.
 */
export async function examineReadableFolder(folder: string): Promise<ReadableFolder> {
  try {
    const entries = await opendir(folder);
    const first = await entries.read();
    await entries.close();
    return { problem: null, isEmpty: first === null };
  } catch (error) {
    return { problem: systemReason(error), isEmpty: false };
  }
}
