import { parentPort, workerData } from 'node:worker_threads';
import { Throttle } from '../core/shared/throttle.ts';
import { failureOf } from './file-failure.ts';
import { freePieces, giveMemoryBack } from './give-memory-back.ts';
import { hashImage } from './hash-image.ts';
import type { HashReply, HashRequest } from './hash-threads.ts';
import { Md5Thread } from './md5-thread.ts';
import { onUnpackingThread } from './seven-zip-program.ts';
import { endIdleThread } from './unpack-thread.ts';

/** Number of bytes between two reports. */
const reportBytes = 8 * 1_048_576;
/** Number of bytes after which used pieces are freed. */
const freeBytes = 1_048_576;

/**
 * Minimum number of bytes that hashing leaves behind for each piece, however small; an archive may
 * hold thousands of small files.
 */
const leastLeft = 16 * 1024;

/** Image size in bytes below which a second thread is not worth starting. */
const LARGE = 64 * 1_048_576;

parentPort?.on('message', (request: HashRequest) => {
  // A rejection is a bug. It is not caught, so that it ends the thread and reaches the main thread
  // with its stack.
  void hash(request).then(send);
});

async function hash({ path, identity, isAlone, verify, rate }: HashRequest): Promise<HashReply> {
  const signal = new AbortController().signal; // never aborted: stopping ends the thread
  const throttle = rate === undefined ? null : new Throttle(rate, () => performance.now());
  let unreported = 0;
  let unfreed = 0;
  const onBytes = (bytes: number) => {
    unreported += bytes;
    unfreed += Math.max(bytes, leastLeft);
    if (unfreed >= freeBytes) {
      unfreed = 0;
      freePieces();
    }
    if (unreported >= reportBytes) {
      send({ bytes: unreported });
      unreported = 0;
    }
    return throttle?.took(bytes, signal);
  };
  // With an archive's own thread and the memory that this needs, another thread would only take
  // memory.
  const isUnpacked = onUnpackingThread.includes(identity.container);
  const isWorthIt = isAlone && !isUnpacked && (identity.imageSize ?? 0) >= LARGE;
  const md5 = isWorthIt ? new Md5Thread() : undefined;
  // After a collection, the heap and the memory outside it grow slowly from their size; before the
  // first, up to the limit.
  if ((identity.imageSize ?? 0) >= LARGE) giveMemoryBack();
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
