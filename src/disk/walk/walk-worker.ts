import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../file-failure.ts';
import { buffersOf, toColumns } from './file-columns.ts';
import { walk } from './walk.ts';
import type { WalkedFolder, WalkReply } from './walk-thread.ts';

// Send each batch without waiting for the main thread to process the previous batch. The main
// thread compares files with records faster than this thread finds files, so few batches queue up.
try {
  const { root, except } = workerData as WalkedFolder;
  for (const batch of walk(root, except)) {
    const files = toColumns(batch.files);
    send({ ...batch, files }, buffersOf(files));
  }
  send({ done: true });
} catch (error) {
  const failure = failureOf(error);
  if (failure === null) throw error;
  send({ failure });
}

function send(reply: WalkReply, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, transferred);
}
