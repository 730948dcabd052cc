import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FoundFile } from '../core/library/library-file.ts';
import { type FileColumns, fromColumns } from './file-columns.ts';

/** From the thread: batches, then one of the others. */
export type WalkReply =
  | { files: FileColumns; unreadable: readonly { path: string; reason: string }[] }
  | { done: true }
  | { failure: string; code: string | undefined };

// tsc rewrites the ending of imports but not of a URL: `.ts` in development, `.js` in dist.
const WORKER = new URL(
  `./walk-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** See `walk`; on a thread of its own, so that nothing else waits for the disk. */
export async function* walkOnThread(
  root: string,
  onUnreadable: (path: string, reason: string) => void,
): AsyncGenerator<readonly FoundFile[]> {
  const worker = new Worker(WORKER, { execArgv: [], workerData: root });
  try {
    for await (const [reply] of on(worker, 'message') as AsyncIterable<[WalkReply]>) {
      if ('done' in reply) return;
      if ('failure' in reply) throw Object.assign(new Error(reply.failure), { code: reply.code });
      for (const { path, reason } of reply.unreadable) onUnreadable(path, reason);
      yield fromColumns(reply.files);
    }
  } finally {
    await worker.terminate();
  }
}
