import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FoundFile } from '../core/library/library-file.ts';
import type { WalkBatch } from './walk.ts';

/** From the thread, in answer to each message. */
export type WalkReply =
  | { batch: WalkBatch }
  | { done: true }
  | { failure: string; code: string | undefined };

/** Batches that the thread is ahead: enough to keep it busy, few enough to keep memory flat. */
const ahead = 4;

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
  const worker = new Worker(WORKER, { execArgv: [] });
  try {
    for (let i = 0; i < ahead; i += 1) worker.postMessage(root);
    for await (const [reply] of on(worker, 'message') as AsyncIterable<[WalkReply]>) {
      if ('done' in reply) return;
      if ('failure' in reply) throw Object.assign(new Error(reply.failure), { code: reply.code });
      worker.postMessage(root);
      for (const { path, reason } of reply.batch.unreadable) onUnreadable(path, reason);
      yield reply.batch.files;
    }
  } finally {
    await worker.terminate();
  }
}
