import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { refused } from '../core/shared/errors.ts';
import type { FileFailureMessage } from './file-failure.ts';
import type { Unpacking } from './seven-zip-program.ts';
import { smallThread } from './small-thread.ts';

/**
 * To the thread; `waiting` counts the pieces that were sent and not taken, which stand in `pieces` one behind the other, from
 * the start again behind the last.
 */
export interface UnpackRequest extends Unpacking {
  readonly waiting: Int32Array;
  readonly pieces: Uint8Array;
}

/** Of a piece at most, in bytes; and how many wait to be taken. */
export const UNPACKED_PIECE = 256 * 1024;
export const MOST_WAITING = 4;

/** From the thread: where a piece stands, then what memory the program has, or what is wrong. Any other failure is a bug and ends the thread. */
export type UnpackReply =
  | { piece: Uint8Array }
  | { memory: number }
  | { failure: FileFailureMessage };

// The build renames what is imported, but no URL: `.ts` in development, `.js` in dist.
const WORKER = new URL(
  `./unpack-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** A thread that has more than this is ended: the memory would be given back late. */
const MOST_KEPT = 20 * 1024 * 1024;

/** A thread with what it shares with this one, which is used again: what is shared would be freed late. */
interface Unpacker {
  readonly worker: Worker;
  /** How many pieces were sent and not taken yet. */
  readonly waiting: Int32Array<SharedArrayBuffer>;
  readonly pieces: Uint8Array<SharedArrayBuffer>;
}

/** That of this thread; kept for the next archive, because to start one takes as long as ten small archives. */
let idle: Unpacker | null = null;

/**
 * The content of an archive, all files one behind the other, unpacked on a thread of its own; a few pieces ahead at most, each
 * of which counts only until the next one is asked for. Throws a refused `CatalogError` when it is damaged, and the system's error when it cannot be read.
 */
export async function* unpackOnThread(unpacking: Unpacking): AsyncGenerator<Buffer> {
  const unpacker = idle ?? startUnpacker();
  idle = null;
  const { worker, waiting, pieces } = unpacker;
  worker.ref();
  let isReusable = false;
  try {
    // An 'error' event is thrown; without 'close' a thread that just ended would be waited for.
    const replies = on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[UnpackReply]>;
    waiting[0] = 0;
    worker.postMessage({ ...unpacking, waiting, pieces } satisfies UnpackRequest);
    for await (const [reply] of replies) {
      if ('failure' in reply) {
        isReusable = true;
        throw errorOf(reply.failure);
      }
      if ('memory' in reply) {
        isReusable = reply.memory <= MOST_KEPT;
        return;
      }
      yield Buffer.from(reply.piece.buffer, reply.piece.byteOffset, reply.piece.length);
      Atomics.sub(waiting, 0, 1);
      Atomics.notify(waiting, 0);
    }
    throw new Error('the unpacking thread ended');
  } finally {
    if (!isReusable || idle !== null) await worker.terminate();
    else {
      worker.unref();
      idle = unpacker;
    }
  }
}

/** Ends the thread that is kept for the next archive, where none follows at once. */
export async function endIdleThread(): Promise<void> {
  const kept = idle;
  idle = null;
  await kept?.worker.terminate();
}

function startUnpacker(): Unpacker {
  return {
    worker: new Worker(WORKER, smallThread),
    waiting: new Int32Array(new SharedArrayBuffer(4)),
    pieces: new Uint8Array(new SharedArrayBuffer(MOST_WAITING * UNPACKED_PIECE)),
  };
}

/** As it was thrown in the thread. */
function errorOf(failure: FileFailureMessage): Error {
  if (failure.kind !== 'disk') return refused(failure.message);
  return Object.assign(new Error(failure.message), { code: failure.code, errno: -1 });
}
