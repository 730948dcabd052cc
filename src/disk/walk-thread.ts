import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FoundFile } from '../core/library/library-file.ts';
import { type FileColumns, fromColumns } from './file-columns.ts';
import { type FileFailureMessage, toError } from './file-failure.ts';
import { smallThread } from './small-thread.ts';

/** The folders that the thread walks; see `walk`. */
export interface WalkedFolder {
  readonly root: string;
  readonly except: readonly string[];
}

/**
 * Message from the thread: batches, then one of the others. Any other failure is a bug and ends the
 * thread.
 */
export type WalkReply =
  | { files: FileColumns; unreadable: readonly { path: string; reason: string }[] }
  | { done: true }
  | { failure: FileFailureMessage };

// The build renames imports but not URLs: `.ts` in development, `.js` in dist.
const WORKER = new URL(
  `./walk-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** Like `walk`, but on a separate thread, so that nothing else waits for the disk. */
export async function* walkOnThread(
  root: string,
  onUnreadable: (path: string, reason: string) => void,
  except: readonly string[] = [],
): AsyncGenerator<readonly FoundFile[]> {
  const workerData: WalkedFolder = { root, except };
  const worker = new Worker(WORKER, { ...smallThread, workerData });
  try {
    // An 'error' event is thrown. Without 'close', a thread that just ended would be awaited
    // forever.
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
