import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { refused } from '../core/shared/errors.ts';
import type { FileFailureMessage } from './file-failure.ts';
import type { Unpacking } from './seven-zip-program.ts';

/** To the thread; `waiting` counts the pieces that were sent and not taken. */
export interface UnpackRequest extends Unpacking {
  readonly waiting: Int32Array;
}

/** From the thread: pieces, then what memory the program has, or what is wrong. Any other failure is a bug and ends the thread. */
export type UnpackReply =
  | { piece: Uint8Array }
  | { memory: number }
  | { failure: FileFailureMessage };

// tsc rewrites the ending of imports but not of a URL: `.ts` in development, `.js` in dist.
const WORKER = new URL(
  `./unpack-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** A thread that has more than this is ended: the memory would be given back late. */
const MOST_KEPT = 32 * 1024 * 1024;

/** The thread of this one that unpacks; kept for the next archive, because to start one takes as long as a small archive. */
let idle: Worker | null = null;

/**
 * The content of an archive, all files one behind the other, unpacked on a thread of its own; a few pieces ahead at most.
 * Throws a refused `CatalogError` when it is damaged, and the system's error when it cannot be read.
 */
export async function* unpackOnThread(unpacking: Unpacking): AsyncGenerator<Buffer> {
  const worker = idle ?? new Worker(WORKER, { execArgv: [] });
  idle = null;
  worker.ref();
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  let isReusable = false;
  try {
    // An 'error' event is thrown; without 'close' a thread that just ended would be waited for.
    const replies = on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[UnpackReply]>;
    worker.postMessage({ ...unpacking, waiting } satisfies UnpackRequest);
    for await (const [reply] of replies) {
      if ('failure' in reply) {
        isReusable = true;
        throw errorOf(reply.failure);
      }
      if ('memory' in reply) {
        isReusable = reply.memory <= MOST_KEPT;
        return;
      }
      Atomics.sub(waiting, 0, 1);
      Atomics.notify(waiting, 0);
      yield Buffer.from(reply.piece.buffer, reply.piece.byteOffset, reply.piece.length);
    }
    throw new Error('the unpacking thread ended');
  } finally {
    if (!isReusable || idle !== null) await worker.terminate();
    else {
      worker.unref();
      idle = worker;
    }
  }
}

/** As it was thrown in the thread. */
function errorOf(failure: FileFailureMessage): Error {
  if (failure.kind === 'damaged') return refused(failure.message);
  return Object.assign(new Error(failure.message), { code: failure.code, errno: -1 });
}
