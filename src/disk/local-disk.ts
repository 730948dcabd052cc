import { lstat, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { FoundFile } from '../core/library/library-file.ts';
import type { Disk } from '../core/library/ports.ts';
import { collectGarbage } from '../memory/collect-garbage.ts';
import { failureOf, toError } from './file-failure.ts';
import { HashThreads } from './hash/hash-threads.ts';
import { identifyFile } from './identify.ts';
import { isCurrentReader, readerOf } from './reader-versions.ts';
import { walkOnThread } from './walk/walk-thread.ts';

/**
 * Returns the `Disk` port for the disks of this machine. `spool` is the folder for content that
 * must be unpacked to a file. `close` ends the hashing threads.
 */
export function localDisk(spool = tmpdir()): Disk & { close(): Promise<void> } {
  const threads = new HashThreads(spool);
  return {
    walk: walkOnThread,
    find: (root, path) => findFile(root, path).catch(throwDiskFailure),
    placeOf: (root) => realpath(root).catch(() => root),
    identify: (path, beforeMany) =>
      identifyFile(path, async () => {
        await beforeMany?.();
        collectGarbage(); // otherwise the last archive's memory stays in use until the heap is full
      }).catch(throwDiskFailure),
    readerOf,
    isCurrent: isCurrentReader,
    hash: (path, identity, options) => threads.hash(path, identity, options),
    close: () => threads.close(),
  };
}

/**
 * Converts an error from reading a file to the error that the `Disk` port throws, and throws it:
 * `DiskFailure`, `DamagedImage` or `SpoolDiskFailure`. Throws any other error unchanged.
 */
export function throwDiskFailure(error: unknown): never {
  const failure = failureOf(error);
  throw failure === null ? error : toError(failure);
}

/**
 * Returns the record of one file below `root`, in the form in which `walk` yields it. Returns null
 * if there is no such file, or if its path contains a symbolic link. Throws the operating system's
 * error if the file cannot be examined.
 */
async function findFile(root: string, path: string): Promise<FoundFile | null> {
  try {
    const straight = join(await realpath(root), path.slice(root.length));
    if ((await realpath(path)) !== straight) return null;
    const stat = await lstat(path, { bigint: true });
    if (!stat.isFile()) return null;
    const { mtimeNs, ino: inode } = stat;
    return { path, name: basename(path), size: Number(stat.size), mtimeNs, inode };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
