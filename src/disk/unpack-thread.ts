import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { refused } from '../core/shared/errors.ts';
import type { FileFailureMessage } from './file-failure.ts';
import { compileProgram, type Unpacking } from './seven-zip-program.ts';
import { smallThread } from './small-thread.ts';

/**
 * Request to the thread. Pieces are stored in `pieces` back to back, and at the start again after
 * the last.
 */
export interface UnpackRequest extends Unpacking {
  readonly program: WebAssembly.Module;
  /** See `WAITING`, `PROGRESS` and `TURNS`. */
  readonly counts: Int32Array;
  readonly pieces: Uint8Array;
}

/** Index of the number of pieces that were sent and not taken yet. */
export const WAITING = 0;
/** Index of a counter that changes whenever the program makes progress. */
export const PROGRESS = 1;
/**
 * Index of a counter that changes whenever the program starts or stops waiting for a read or a
 * write; odd while it waits.
 */
export const TURNS = 2;

/** Maximum size of a piece in bytes, and maximum number of pieces that wait to be taken. */
export const UNPACKED_PIECE = 256 * 1024;
export const MOST_WAITING = 4;

/**
 * Reply of the thread: the place of a piece, finally the size of the program's memory, or what is
 * wrong. Any other failure is a bug and ends the thread.
 */
export type UnpackReply =
  | { piece: Uint8Array }
  | { memory: number }
  | { failure: FileFailureMessage };

// The build renames imports but not URLs: `.ts` in development, `.js` in dist.
const WORKER = new URL(
  `./unpack-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/**
 * Maximum memory in bytes of a thread that is reused. A thread with more is ended, because its
 * memory would be freed late.
 */
const MOST_KEPT = 20 * 1024 * 1024;

/**
 * Interval between checks of a thread in milliseconds, and the number of checks in a row without
 * progress that end it.
 */
const LOOK_EVERY = 10_000;
const MAX_STANDSTILLS = 6;
const noProgress = 'it is damaged: unpacking it made no progress for a minute';

/**
 * A thread and the memory shared with it, which is reused because shared memory would be freed
 * late.
 */
interface Unpacker {
  readonly worker: Worker;
  readonly counts: Int32Array<SharedArrayBuffer>;
  readonly pieces: Uint8Array<SharedArrayBuffer>;
}

/**
 * This thread's idle unpacking thread. It is kept for the next archive, because starting one takes
 * as long as ten small archives. It runs a new instance of the program for each.
 */
let idle: Unpacker | null = null;

/**
 * Yields the content of an archive, all files back to back, unpacked on a separate thread. That is
 * at most a few pieces ahead; each piece is valid only until the next one is requested. Throws a
 * refused `CatalogError` when the archive is damaged or the program makes no progress, and the
 * system's error when it cannot be read.
 */
export async function* unpackOnThread(unpacking: Unpacking): AsyncGenerator<Buffer> {
  const program = await compileProgram();
  const unpacker = idle ?? startUnpacker();
  idle = null;
  const { worker, counts, pieces } = unpacker;
  worker.ref();
  let isReusable = false;
  let isStuck = false;
  counts.fill(0);
  counts[TURNS] = 1;
  const look = endWhenStuck(unpacker, () => {
    isStuck = true;
  });
  try {
    // An 'error' event is thrown. Without 'close', a thread that just ended would be awaited
    // forever.
    const replies = on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[UnpackReply]>;
    worker.postMessage({ ...unpacking, program, counts, pieces } satisfies UnpackRequest);
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
      Atomics.sub(counts, WAITING, 1);
      Atomics.notify(counts, WAITING);
    }
    throw isStuck ? refused(noProgress) : new Error('the unpacking thread ended');
  } finally {
    clearInterval(look);
    if (!isReusable || idle !== null) await worker.terminate();
    else {
      worker.unref();
      idle = unpacker;
    }
  }
}

/**
 * Ends a thread whose program makes no progress, unless it waits for the same read or write all the
 * time. After a machine was asleep, only one check is made when it wakes.
 */
function endWhenStuck({ worker, counts }: Unpacker, onStuck: () => void): NodeJS.Timeout {
  let before = { progress: 0, turns: 1 };
  let standstills = 0;
  const look = () => {
    const now = { progress: Atomics.load(counts, PROGRESS), turns: Atomics.load(counts, TURNS) };
    const waits = now.turns % 2 === 1 && now.turns === before.turns;
    standstills = now.progress !== before.progress || waits ? 0 : standstills + 1;
    before = now;
    if (standstills < MAX_STANDSTILLS) return;
    clearInterval(timer);
    onStuck();
    void worker.terminate();
  };
  const timer = setInterval(look, LOOK_EVERY).unref();
  return timer;
}

/** Ends the idle thread that is kept for the next archive, if none follows at once. */
export async function endIdleThread(): Promise<void> {
  const kept = idle;
  idle = null;
  await kept?.worker.terminate();
}

function startUnpacker(): Unpacker {
  return {
    worker: new Worker(WORKER, smallThread),
    counts: new Int32Array(new SharedArrayBuffer(12)),
    pieces: new Uint8Array(new SharedArrayBuffer(MOST_WAITING * UNPACKED_PIECE)),
  };
}

/** Recreates the error that was thrown in the thread. */
function errorOf(failure: FileFailureMessage): Error {
  if (failure.kind !== 'disk') return refused(failure.message);
  return Object.assign(new Error(failure.message), { code: failure.code, errno: -1 });
}
