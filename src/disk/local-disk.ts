import type { Disk } from '../core/library/ports.ts';
import { HashThreads } from './hash-threads.ts';
import { identifyFile } from './identify.ts';
import { walkOnThread } from './walk-thread.ts';

/** The disks of this machine; `close` ends the hashing threads. */
export function localDisk(): Disk & { close(): Promise<void> } {
  const threads = new HashThreads();
  return {
    walk: walkOnThread,
    identify: identifyFile,
    hash: (path, identity, options) => threads.hash(path, identity, options),
    close: () => threads.close(),
  };
}
