import { parentPort, workerData } from 'node:worker_threads';
import type { Identity } from '../core/library/identity.ts';
import { failureOf } from './file-failure.ts';
import { hashImage } from './hash-image.ts';
import type { HashReply, HashRequest } from './hash-threads.ts';
import { Md5Thread } from './md5-thread.ts';

/** Bytes between two reports. */
const reportBytes = 8 * 1_048_576;

/** Below this a second thread is not worth its messages. */
const LARGE = 32 * 1_048_576;
let md5Thread: Md5Thread | undefined;

parentPort?.on('message', ({ path, identity, isAlone }: HashRequest) => {
  // A rejection is a bug: nothing catches it, so that it ends the thread and reaches the main thread with its stack.
  void hash(path, identity, isAlone).then(send);
});

async function hash(path: string, identity: Identity, isAlone: boolean): Promise<HashReply> {
  let unreported = 0;
  const onBytes = (bytes: number) => {
    unreported += bytes;
    if (unreported < reportBytes) return;
    send({ bytes: unreported });
    unreported = 0;
  };
  try {
    const signal = new AbortController().signal; // stopping ends the thread
    const isWorthIt = isAlone && (identity.imageSize ?? 0) >= LARGE;
    if (isWorthIt) md5Thread ??= new Md5Thread();
    const md5 = isWorthIt ? md5Thread : undefined;
    const hashes = await hashImage(path, identity, { signal, onBytes, spool: workerData, md5 });
    send({ bytes: unreported });
    return { hashes };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { failure };
  }
}

function send(reply: HashReply): void {
  parentPort?.postMessage(reply);
}
