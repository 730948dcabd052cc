import type { Disk } from '../core/library/ports.ts';
import { HashThreads } from './hash-threads.ts';
import { walk } from './walk.ts';

/** The disks of this machine; `close` ends the hashing threads. */
export function localDisk(): Disk & { close(): Promise<void> } {
  const threads = new HashThreads();
  return {
    walk,
    identify: async (path) => (await import('./identify.ts')).identifyFile(path),
    hash: (path, identity, options) => threads.hash(path, identity, options),
    close: () => threads.close(),
  };
}
