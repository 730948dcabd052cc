import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Identity } from '../core/library/identity.ts';
import type { TrackedHashes } from '../core/library/library-file.ts';
import { manyMembers } from '../core/library/packed.ts';
import type { HashOptions } from '../core/library/ports.ts';
import { type FileFailureMessage, toError } from './file-failure.ts';
import { Gate } from './gate.ts';
import { giveMemoryBack } from './give-memory-back.ts';
import { compileProgram, onUnpackingThread } from './seven-zip-program.ts';
import { smallThread } from './small-thread.ts';

/** Request to a thread: a file, and whether there are idle cores while it is hashed. */
export interface HashRequest {
  readonly path: string;
  /** Without the files of an archive, which may be many; the thread reads them again. */
  readonly identity: Pick<Identity, 'container' | 'tracks' | 'imageSize'>;
  readonly isAlone: boolean;
  readonly verify: boolean;
  /** See `HashOptions`. */
  readonly rate: number | undefined;
}

/**
 * Reply of a thread: bytes read since the last message, the result, or what is wrong with the file.
 * Any other failure is a bug and ends the thread.
 */
export type HashReply =
  | { bytes: number }
  | { hashes: TrackedHashes }
  | { failure: FileFailureMessage };

// The build renames imports but not URLs: `.ts` in development, `.js` in dist.
const WORKER = new URL(
  `./hash-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/**
 * A pool of threads that hash one file at a time each. It has as many as are needed at once, and
 * keeps them for the next file.
 */
export class HashThreads {
  readonly #spool: string;
  readonly #idle: Worker[] = [];
  #busy = 0;
  readonly #gate = new Gate();
  /**
   * The compiled program. Threads that compile the same bytes share the compiled code as long as
   * any of them holds it. Holding it here optimises it once per scan, which takes about 30 MiB, and
   * not for every archive.
   */
  #program: WebAssembly.Module | undefined;

  /** `spool` is a folder for content that must be unpacked to a file. */
  constructor(spool: string) {
    this.#spool = spool;
  }

  /**
   * Hashes a file. A file whose unpacking takes much memory, or an archive with more than
   * `manyMembers` files, is hashed alone, after ending all idle threads.
   *
   * Throws like the `Disk` port, and the error of a thread that ended because of a bug. When the
   * signal is aborted, the thread ends in the middle of its file.
   */
  async hash(path: string, identity: Identity, options: HashOptions): Promise<TrackedHashes> {
    options.signal.throwIfAborted();
    const isAlone = identity.dictionary !== undefined || identity.members.length > manyMembers;
    const leave = await this.#gate.enter(isAlone);
    try {
      options.signal.throwIfAborted();
      if (isAlone) await this.close();
      if (onUnpackingThread.includes(identity.container)) this.#program ??= await compileProgram();
      const hashes = await this.#hash(path, identity, options);
      // Free memory before all members are looked up and stored.
      if ((hashes.inside?.members.length ?? 0) > manyMembers) giveMemoryBack();
      return hashes;
    } finally {
      // Free the thread's memory before its result is looked up and stored.
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
    const reply = await askThread(worker, request, options)
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
    // Loading the program, the first pass and the previous file leave memory that the new thread
    // may need.
    if (this.#busy === 0) giveMemoryBack();
    return new Worker(WORKER, { ...smallThread, workerData: this.#spool });
  }

  /** Ends the idle threads. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }
}

type Outcome = Exclude<HashReply, { bytes: number }>;

/**
 * Sends a request to a thread. Rejects with the error of a thread that ended, or with the signal's
 * reason.
 */
function askThread(
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
