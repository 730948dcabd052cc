import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { manyMembers } from '../../core/library/container-kinds.ts';
import type { Identity } from '../../core/library/identity.ts';
import type { TrackedHashes } from '../../core/library/library-file.ts';
import type { HashOptions } from '../../core/library/ports.ts';
import { collectGarbage } from '../../memory/collect-garbage.ts';
import { type FileFailureMessage, toError } from '../file-failure.ts';
import { smallThreadOptions } from '../small-thread.ts';
import { compileProgram, threadUnpackedFormats } from '../unpack/seven-zip-program.ts';

/**
 * Request to a thread to hash a file. If `isAlone` is true, a processor core is idle, so the thread
 * may start another thread for the MD5.
 */
export interface HashRequest {
  readonly path: string;
  /**
   * The parts of the file's identity that hashing needs. The members of an archive are left out,
   * because there may be many. The thread reads them again.
   */
  readonly identity: Pick<Identity, 'container' | 'tracks' | 'imageSize'>;
  readonly isAlone: boolean;
  readonly verify: boolean;
  /** Maximum number of bytes per second. Undefined means no limit. */
  readonly rate: number | undefined;
}

/**
 * Reply of a thread: the number of bytes that were hashed since the last reply, the result, or a
 * problem with the file. Any other failure is a bug and ends the thread.
 */
export type HashReply =
  | { bytes: number }
  | { hashes: TrackedHashes }
  | { failure: FileFailureMessage };

// Use the extension of this module, because the build replaces `.ts` by `.js` in imports, but not
// in URLs.
const WORKER = new URL(
  `./hash-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/**
 * A pool of threads. Each thread hashes one file at a time. If all threads are busy, the pool
 * starts another thread. Idle threads stay available for the next files.
 */
export class HashThreads {
  readonly #spool: string;
  readonly #idle: Worker[] = [];
  #busy = 0;
  readonly #gate = new Gate();
  /**
   * The compiled unpacking program, held only so that its code stays in memory. V8 shares the code
   * of a program between all threads while any thread has a reference. With this reference, V8
   * optimises the code once per scan instead of once per archive.
   */
  #program: WebAssembly.Module | undefined;

  /** `spool` is the folder for content that must be unpacked to a file. */
  constructor(spool: string) {
    this.#spool = spool;
  }

  /**
   * Hashes a file on a thread. Two kinds of files are hashed alone: files that take much memory to
   * unpack, and archives with more than `manyMembers` files. For such a file, the idle threads are
   * ended first, and no other file is hashed at the same time.
   *
   * Throws the same errors as the `Disk` port, and the error of a thread that ended because of a
   * bug. If the signal is aborted, ends the thread at once and throws the signal's reason.
   */
  async hash(path: string, identity: Identity, options: HashOptions): Promise<TrackedHashes> {
    options.signal.throwIfAborted();
    const isAlone = identity.dictionary !== undefined || identity.members.length > manyMembers;
    const leave = await this.#gate.enter(isAlone);
    try {
      options.signal.throwIfAborted();
      if (isAlone) await this.close();
      if (threadUnpackedFormats.includes(identity.container))
        this.#program ??= await compileProgram();
      const hashes = await this.#hash(path, identity, options);
      // Free memory now, because the caller next looks up and stores all members, which takes much
      // memory.
      if ((hashes.inside?.members.length ?? 0) > manyMembers) collectGarbage();
      return hashes;
    } finally {
      // End the thread to free its memory before the caller looks up and stores the result.
      if (isAlone) await this.close();
      leave();
    }
  }

  async #hash(...[path, identity, options]: Parameters<HashThreads['hash']>) {
    const worker = this.#idle.pop() ?? this.#start();
    this.#busy += 1;
    const isAlone = this.#busy < availableParallelism();
    const { verify = false, rate } = options;
    const { container, tracks, imageSize } = identity;
    const read = { container, tracks, imageSize };
    const request: HashRequest = { path, identity: read, isAlone, verify, rate };
    const reply = await hashOnThread(worker, request, options)
      .catch(async (error) => {
        await worker.terminate();
        throw error;
      })
      .finally(() => {
        this.#busy -= 1;
      });
    this.#idle.push(worker);
    if ('failure' in reply) throw toError(reply.failure);
    return reply.hashes;
  }

  #start(): Worker {
    // Free the memory of earlier work, such as identifying files. The new thread may need the
    // memory.
    if (this.#busy === 0) collectGarbage();
    return new Worker(WORKER, { ...smallThreadOptions, workerData: this.#spool });
  }

  /** Ends the idle threads. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }
}

type Outcome = Exclude<HashReply, { bytes: number }>;

/**
 * Sends a request to a thread and returns the thread's result. Rejects if the thread ends. If the
 * signal is aborted, rejects with the signal's reason.
 */
function hashOnThread(
  worker: Worker,
  request: HashRequest,
  { signal, onBytes }: HashOptions,
): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const onMessage = (reply: HashReply) => {
    if ('bytes' in reply) onBytes(reply.bytes);
    else resolve(reply);
  };
  const onAbort = () => reject(signal.reason);
  const onExit = () => reject(new Error('the hashing thread ended'));
  worker.on('message', onMessage).on('error', reject).on('exit', onExit);
  signal.addEventListener('abort', onAbort);
  worker.postMessage(request);
  return promise.finally(() => {
    worker.off('message', onMessage).off('error', reject).off('exit', onExit);
    signal.removeEventListener('abort', onAbort);
  });
}

/**
 * Lets work run concurrently or alone. Work that must run alone waits until all earlier work has
 * ended. All later work waits until the work that runs alone has ended.
 */
class Gate {
  /**
   * A promise for each piece of work that runs or waits. The promise resolves when the work has
   * ended.
   */
  readonly #ends = new Set<Promise<void>>();
  #lastAlone: Promise<void> = Promise.resolve();

  /**
   * Resolves when the work may begin. If `isAlone` is true, the work runs alone. The caller must
   * call the returned function when the work has ended.
   */
  async enter(isAlone: boolean): Promise<() => void> {
    const before = isAlone ? [...this.#ends] : [this.#lastAlone];
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.add(promise);
    if (isAlone) this.#lastAlone = promise;
    await Promise.all(before);
    return () => {
      this.#ends.delete(promise);
      resolve();
    };
  }
}
