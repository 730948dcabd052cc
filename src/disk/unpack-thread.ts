import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { refused } from '../core/shared/errors.ts';
import type { FileFailureMessage } from './file-failure.ts';
import { compileProgram, type Unpacking } from './seven-zip-program.ts';
import { smallThread } from './small-thread.ts';

/** To the thread; pieces stand in `pieces` one behind the other, from the start again behind the last. */
export interface UnpackRequest extends Unpacking {
  readonly program: WebAssembly.Module;
  /** See `WAITING`, `PROGRESS` and `TURNS`. */
  readonly counts: Int32Array;
  readonly pieces: Uint8Array;
}

/** The count of pieces that were sent and not taken yet. */
export const WAITING = 0;
/** Changes whenever the program makes progress. */
export const PROGRESS = 1;
/** Changes whenever the program begins and ceases to wait for a read or a write; odd while it waits. */
export const TURNS = 2;

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

/** How often a thread is looked at, in milliseconds; and how often at most in a row it may have made no progress. */
const LOOK_EVERY = 10_000;
const MAX_STANDSTILLS = 6;
const noProgress = 'it is damaged: unpacking it made no progress for a minute';

/** A thread with what it shares with this one, which is used again: what is shared would be freed late. */
interface Unpacker {
  readonly worker: Worker;
  readonly counts: Int32Array<SharedArrayBuffer>;
  readonly pieces: Uint8Array<SharedArrayBuffer>;
}

/**
 * That of this thread; kept for the next archive, because to start one takes as long as ten small archives. It has a new
 * instance of the program for each.
 */
let idle: Unpacker | null = null;

/**
 * The content of an archive, all files one behind the other, unpacked on a thread of its own; a few pieces ahead at most, each
 * of which counts only until the next one is asked for. Throws a refused `CatalogError` when it is damaged or the program does
 * not get on with it, and the system's error when it cannot be read.
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
    // An 'error' event is thrown; without 'close' a thread that just ended would be waited for.
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
 * Ends a thread whose program makes no progress and does not wait all the time for the same read or write. A machine that
 * was asleep is looked at once when it wakes.
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

/** Ends the thread that is kept for the next archive, where none follows at once. */
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

/** As it was thrown in the thread. */
function errorOf(failure: FileFailureMessage): Error {
  if (failure.kind !== 'disk') return refused(failure.message);
  return Object.assign(new Error(failure.message), { code: failure.code, errno: -1 });
}
