import { parentPort, workerData } from 'node:worker_threads';
import { Throttle } from '../../core/shared/concurrency/throttle.ts';
import { collectGarbage, collectYoungGarbage } from '../../memory/collect-garbage.ts';
import { failureOf } from '../file-failure.ts';
import { threadUnpackedFormats } from '../unpack/seven-zip-program.ts';
import { endIdleThread } from '../unpack/unpack-thread.ts';
import { hashImage } from './hash-image.ts';
import type { HashReply, HashRequest } from './hash-threads.ts';
import { Md5Thread } from './md5-thread.ts';

/** Number of hashed bytes between two reports to the main thread. */
const reportBytes = 8 * 1_048_576;
/** Number of hashed bytes after which the garbage of earlier pieces is collected. */
const freeBytes = 1_048_576;

/**
 * Minimum number of bytes that a piece counts for `freeBytes`. Even a small piece leaves garbage
 * behind, and an archive may have thousands of small files.
 */
const minGarbagePerPiece = 16 * 1024;

/**
 * Minimum size, in bytes, of a large image. Starting a second thread for the MD5 is worthwhile only
 * for a large image.
 */
const LARGE = 64 * 1_048_576;

parentPort?.on('message', (request: HashRequest) => {
  // Do not catch a rejection, because it is a bug. The thread then ends, and the main thread
  // receives the error with its stack.
  void hash(request).then(send);
});

async function hash({ path, identity, isAlone, verify, rate }: HashRequest): Promise<HashReply> {
  const signal = new AbortController().signal; // never aborted: `HashThreads` ends the thread
  const throttle = rate === undefined ? null : new Throttle(rate, () => performance.now());
  let unreported = 0;
  let unfreed = 0;
  const onBytes = (bytes: number) => {
    unreported += bytes;
    unfreed += Math.max(bytes, minGarbagePerPiece);
    if (unfreed >= freeBytes) {
      unfreed = 0;
      collectYoungGarbage();
    }
    if (unreported >= reportBytes) {
      send({ bytes: unreported });
      unreported = 0;
    }
    return throttle?.consume(bytes, signal);
  };
  // For these archives, another thread already unpacks. A third thread for the MD5 would mainly
  // take memory.
  const isUnpacked = threadUnpackedFormats.includes(identity.container);
  const usesMd5Thread = isAlone && !isUnpacked && (identity.imageSize ?? 0) >= LARGE;
  const md5 = usesMd5Thread ? new Md5Thread() : undefined;
  // After a garbage collection, V8 lets the heap and the memory outside the heap grow only slowly.
  // Before the first collection, both would grow up to their limit.
  if ((identity.imageSize ?? 0) >= LARGE) collectGarbage();
  try {
    if (!isUnpacked) await endIdleThread();
    const watch = { signal, onBytes, md5, verify };
    const hashes = await hashImage(path, identity, { ...watch, spool: workerData });
    send({ bytes: unreported });
    return { hashes };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { failure };
  } finally {
    await md5?.close();
  }
}

function send(reply: HashReply): void {
  parentPort?.postMessage(reply);
}
