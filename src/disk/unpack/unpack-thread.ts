import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { refused } from '../../core/shared/errors.ts';
import type { FileFailureMessage } from '../file-failure.ts';
import { smallThreadOptions } from '../small-thread.ts';
import { compileProgram, type Unpacking } from './seven-zip-program.ts';

/**
 * Request to the thread to unpack an archive. `pieces` has room for `MAX_WAITING` pieces. The
 * thread writes the unpacked pieces there in order, and starts again at the beginning after the
 * last position.
 */
export interface UnpackRequest extends Unpacking {
  readonly program: WebAssembly.Module;
  /** Counters that both threads use. For their indexes, see `WAITING`, `PROGRESS` and `TURNS`. */
  readonly counts: Int32Array;
  readonly pieces: Uint8Array;
}

/**
 * Index in `counts` of the number of pieces that were sent but not yet consumed by the receiver.
 */
export const WAITING = 0;
/** Index in `counts` of a counter that changes whenever the program makes progress. */
export const PROGRESS = 1;
/**
 * Index in `counts` of a counter that changes whenever the program starts or stops waiting for a
 * read or a write. The counter is odd while the program waits.
 */
export const TURNS = 2;

/**
 * `UNPACKED_PIECE` is the maximum size of a piece, in bytes. `MAX_WAITING` is the maximum number
 * of pieces that wait for the receiver.
 */
export const UNPACKED_PIECE = 256 * 1024;
export const MAX_WAITING = 4;

/**
 * Reply of the thread. The thread first sends every piece, which is a part of `pieces`. The last
 * reply is the size of the program's memory in bytes, or a problem with the archive. Any other
 * failure is a bug and ends the thread.
 */
export type UnpackReply =
  | { piece: Uint8Array }
  | { memory: number }
  | { failure: FileFailureMessage };

// Use the extension of this module, because the build replaces `.ts` by `.js` in imports, but not
// in URLs.
const WORKER = new URL(
  `./unpack-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/**
 * Maximum size of the program's memory, in bytes, with which a thread is reused. A thread with more
 * memory is ended, because its memory would otherwise be freed late.
 */
const MAX_REUSED_MEMORY = 20 * 1024 * 1024;

/**
 * `CHECK_INTERVAL_MS` is the interval between two checks of a thread, in milliseconds. After
 * `MAX_STUCK_CHECKS` consecutive checks without progress, the thread is ended.
 */
const CHECK_INTERVAL_MS = 10_000;
const MAX_STUCK_CHECKS = 6;
const noProgress = 'it is damaged: unpacking it made no progress for a minute';

/**
 * A thread, and the memory that is shared with the thread. The memory is reused with the thread,
 * because shared memory would be freed late.
 */
interface Unpacker {
  readonly worker: Worker;
  readonly counts: Int32Array<SharedArrayBuffer>;
  readonly pieces: Uint8Array<SharedArrayBuffer>;
}

/**
 * The idle unpacking thread that the current thread has started, or null. The idle thread is reused
 * for the next archive, because starting a thread is slow. For each archive, the thread runs a new
 * instance of the program.
 */
let idle: Unpacker | null = null;

/**
 * Unpacks an archive on a separate thread, and yields the content of all files back to back. The
 * thread unpacks at most `MAX_WAITING` pieces ahead. Each piece is valid only until the next piece
 * is requested. Throws a `CatalogError` of kind `refused` if the archive is damaged or the program
 * makes no progress. Throws the operating system's error if the archive cannot be read.
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
  const timer = terminateWhenStuck(unpacker, () => {
    isStuck = true;
  });
  try {
    // `on` throws if the worker emits 'error'. The option `close` ends the loop on 'exit'. Without
    // the option, the loop would wait forever for a thread that has ended.
    const replies = on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[UnpackReply]>;
    worker.postMessage({ ...unpacking, program, counts, pieces } satisfies UnpackRequest);
    for await (const [reply] of replies) {
      if ('failure' in reply) {
        isReusable = true;
        throw errorOf(reply.failure);
      }
      if ('memory' in reply) {
        isReusable = reply.memory <= MAX_REUSED_MEMORY;
        return;
      }
      yield Buffer.from(reply.piece.buffer, reply.piece.byteOffset, reply.piece.length);
      Atomics.sub(counts, WAITING, 1);
      Atomics.notify(counts, WAITING);
    }
    throw isStuck ? refused(noProgress) : new Error('the unpacking thread ended');
  } finally {
    clearInterval(timer);
    if (!isReusable || idle !== null) await worker.terminate();
    else {
      worker.unref();
      idle = unpacker;
    }
  }
}

/**
 * Checks a thread at intervals. Ends the thread if its program runs but makes no progress. Does not
 * end a thread that waits for a slow read or write. After a machine wakes from sleep, only one
 * check runs, so the time asleep does not end the thread.
 */
function terminateWhenStuck({ worker, counts }: Unpacker, onStuck: () => void): NodeJS.Timeout {
  let before = { progress: 0, turns: 1 };
  let stuckChecks = 0;
  const check = () => {
    const now = { progress: Atomics.load(counts, PROGRESS), turns: Atomics.load(counts, TURNS) };
    const waits = now.turns % 2 === 1 && now.turns === before.turns;
    stuckChecks = now.progress !== before.progress || waits ? 0 : stuckChecks + 1;
    before = now;
    if (stuckChecks < MAX_STUCK_CHECKS) return;
    clearInterval(timer);
    onStuck();
    void worker.terminate();
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return timer;
}

/**
 * Ends the idle unpacking thread, if there is one. Call this function before work that does not
 * need the thread.
 */
export async function endIdleThread(): Promise<void> {
  const unpacker = idle;
  idle = null;
  await unpacker?.worker.terminate();
}

function startUnpacker(): Unpacker {
  return {
    worker: new Worker(WORKER, smallThreadOptions),
    counts: new Int32Array(new SharedArrayBuffer(12)),
    pieces: new Uint8Array(new SharedArrayBuffer(MAX_WAITING * UNPACKED_PIECE)),
  };
}

/** Converts a message from the thread to the error that the thread threw. */
function errorOf(failure: FileFailureMessage): Error {
  if (failure.kind !== 'disk') return refused(failure.message);
  return Object.assign(new Error(failure.message), { code: failure.code, errno: -1 });
}
