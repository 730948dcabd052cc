import { parentPort } from 'node:worker_threads';
import { type WalkBatch, walk } from './walk.ts';
import type { WalkReply } from './walk-thread.ts';

let batches: Generator<WalkBatch> | undefined;

/** Each message asks for one more batch; all of them name the root. */
parentPort?.on('message', (root: string) => {
  batches ??= walk(root);
  parentPort?.postMessage(next(batches));
});

function next(from: Generator<WalkBatch>): WalkReply {
  try {
    const { value, done } = from.next();
    return done ? { done: true } : { batch: value };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { failure: message, code };
  }
}
