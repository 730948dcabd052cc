import { listArchivesOfSize } from '../api/store.ts';
import {
  beginUpload,
  listUnfinished,
  readUpload,
  removeUpload,
  sendChunk,
} from '../api/uploads.ts';
import { WorkerHasher } from './hasher.ts';
import type { UploadApi } from './send-file.ts';
import { UploadQueue } from './upload-queue.svelte.ts';

const api: UploadApi = {
  listUnfinished,
  readUpload,
  beginUpload,
  sendChunk,
  removeUpload,
  listOfSize: (system, size, signal) =>
    system === 'dats' ? Promise.resolve([]) : listArchivesOfSize(system, size, signal),
};

/**
 * The upload queue of this tab. All screens share the queue, so uploads continue when the user
 * opens another screen.
 */
export const uploads = new UploadQueue({ api, hasher: new WorkerHasher(), pause });

addEventListener('beforeunload', (event) => {
  if (uploads.isUnfinished) event.preventDefault();
});

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}
