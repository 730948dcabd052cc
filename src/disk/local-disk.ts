import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Disk } from '../core/library/ports.ts';
import { failureOf, toError } from './file-failure.ts';
import { findFile } from './walk/find-file.ts';
import { giveMemoryBack } from './give-memory-back.ts';
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
    find: (root, path) => findFile(root, path).catch(throwFailure),
    placeOf: (root) => realpath(root).catch(() => root),
    identify: (path, beforeMany) =>
      identifyFile(path, async () => {
        await beforeMany?.();
        giveMemoryBack(); // otherwise the last archive's memory stays in use until the heap is full
      }).catch(throwFailure),
    readerOf,
    isCurrent: isCurrentReader,
    hash: (path, identity, options) => threads.hash(path, identity, options),
    close: () => threads.close(),
  };
}

function throwFailure(error: unknown): never {
  const failure = failureOf(error);
  throw failure === null ? error : toError(failure);
}
