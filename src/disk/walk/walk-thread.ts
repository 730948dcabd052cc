import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FoundFile } from '../../core/library/library-file.ts';
import { type FileFailureMessage, toError } from '../file-failure.ts';
import { smallThreadOptions } from '../small-thread.ts';
import { type FileColumns, fromColumns } from './file-columns.ts';

/** The root that the thread walks, and the folders that the thread skips (see `walk`). */
export interface WalkedFolder {
  readonly root: string;
  readonly except: readonly string[];
}

/**
 * Message from the thread. The thread first sends every batch of files, then `done` or a problem
 * with the root. Any other failure is a bug and ends the thread.
 */
export type WalkReply =
  | { files: FileColumns; unreadable: readonly { path: string; reason: string }[] }
  | { done: true }
  | { failure: FileFailureMessage };

// Use the extension of this module, because the build replaces `.ts` by `.js` in imports, but not
// in URLs.
const WORKER = new URL(
  `./walk-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/**
 * Like `walk`, but runs on a separate thread, so that a slow disk does not block the current
 * thread. Calls `onUnreadable` for every path below the root that cannot be read.
 */
export async function* walkOnThread(
  root: string,
  onUnreadable: (path: string, reason: string) => void,
  except: readonly string[] = [],
): AsyncGenerator<readonly FoundFile[]> {
  const workerData: WalkedFolder = { root, except };
  const worker = new Worker(WORKER, { ...smallThreadOptions, workerData });
  try {
    // `on` throws if the worker emits 'error'. The option `close` ends the loop on 'exit'. Without
    // the option, the loop would wait forever for a thread that has ended.
    const replies = on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[WalkReply]>;
    for await (const [reply] of replies) {
      if ('done' in reply) return;
      if ('failure' in reply) throw toError(reply.failure);
      for (const { path, reason } of reply.unreadable) onUnreadable(path, reason);
      yield fromColumns(reply.files);
    }
    throw new Error('the walking thread ended');
  } finally {
    await worker.terminate();
  }
}
