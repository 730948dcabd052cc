import { parentPort, workerData } from 'node:worker_threads';
import type { Identity } from '../core/library/identity.ts';
import { failureOf } from './file-failure.ts';
import { hashImage } from './hash-image.ts';
import type { HashReply } from './hash-threads.ts';

/** Bytes between two reports. */
const reportBytes = 8 * 1_048_576;

parentPort?.on('message', ({ path, identity }: { path: string; identity: Identity }) => {
  // A rejection is a bug: nothing catches it, so that it ends the thread and reaches the main thread with its stack.
  void hash(path, identity).then(send);
});

async function hash(path: string, identity: Identity): Promise<HashReply> {
  let unreported = 0;
  const onBytes = (bytes: number) => {
    unreported += bytes;
    if (unreported < reportBytes) return;
    send({ bytes: unreported });
    unreported = 0;
  };
  try {
    const signal = new AbortController().signal; // stopping ends the thread
    const hashes = await hashImage(path, identity, { signal, onBytes, spool: workerData });
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
