import { open, opendir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadFolder, WrittenFolder } from '../core/doctor/ports.ts';
import { systemReason } from '../core/shared/system-reason.ts';
import { typeProblem } from './data-folder.ts';
import { ownerMark } from './owner.ts';

const nothing = { doubt: null, freeBytes: 0, freeFiles: null, clockAheadMs: 0 };

/** Tests whether a data folder can be written to. Removes the test file afterwards. */
export async function examineWritten(folder: string): Promise<WrittenFolder> {
  try {
    const { bavail, bsize, ffree, files, type } = await statfs(folder);
    const kind = typeProblem(folder, type);
    if (kind?.isRefused) return { ...nothing, problem: kind.says };
    return {
      problem: null,
      doubt: kind?.says ?? null,
      freeBytes: bavail * bsize,
      freeFiles: files === 0 ? null : ffree,
      clockAheadMs: await writeOne(join(folder, ownerMark())),
    };
  } catch (error) {
    return { ...nothing, problem: systemReason(error) };
  }
}

/**
 * Writes a file. Returns by how many milliseconds the file's time is ahead of the system's clock.
 */
async function writeOne(path: string): Promise<number> {
  try {
    const handle = await open(path, 'wx', 0o600);
    await handle.writeFile('x').finally(() => handle.close());
    return (await stat(path)).mtimeMs - Date.now();
  } finally {
    await rm(path, { force: true });
  }
}

/** Reads the first entry of a library root. */
export async function examineRead(folder: string): Promise<ReadFolder> {
  try {
    const entries = await opendir(folder);
    const first = await entries.read();
    await entries.close();
    return { problem: null, isEmpty: first === null };
  } catch (error) {
    return { problem: systemReason(error), isEmpty: false };
  }
}
