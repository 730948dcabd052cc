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

/** To a thread: a file, and whether cores are idle while it is hashed. */
export interface HashRequest {
  readonly path: string;
  /** Without the files of an archive, of which there may be many: the thread reads them again. */
  readonly identity: Pick<Identity, 'container' | 'tracks' | 'imageSize'>;
  readonly isAlone: boolean;
  readonly verify: boolean;
  /** As in `HashOptions`. */
  readonly rate: number | undefined;
}

/**
 * From a thread: bytes read since the last message, the result, or what is wrong with the file. Any other failure is a
 * bug and ends the thread.
 */
export type HashReply =
  | { bytes: number }
  | { hashes: TrackedHashes }
  | { failure: FileFailureMessage };

// The build renames what is imported, but no URL: `.ts` in development, `.js` in dist.
const WORKER = new URL(
  `./hash-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** Threads that hash files, one file each at a time; as many as are asked for at once, kept for the next file. */
export class HashThreads {
  readonly #spool: string;
  readonly #idle: Worker[] = [];
  #busy = 0;
  readonly #gate = new Gate();
  /**
   * Threads that compile the same bytes share what is compiled while anybody has it: it is optimised once in a scan, which
   * takes some 30 MiB, and not for every archive.
   */
  #program: WebAssembly.Module | undefined;

  /** `spool` is a folder for what has to be unpacked to a file. */
  constructor(spool: string) {
    this.#spool = spool;
  }

  /**
   * A file whose unpacking takes much memory is hashed alone, without any thread that waits for a file.
   *
   * Throws as the `Disk` port, and the error of a thread that ended by a bug. When the signal is aborted, the thread
   * ends in the middle of its file.
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
      // before all of them are looked up and stored
      if ((hashes.inside?.members.length ?? 0) > manyMembers) giveMemoryBack();
      return hashes;
    } finally {
      // what its thread left behind goes before what it told is looked up and stored
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
    // loading the program, the first pass and the file before leave much that the new thread may need
    if (this.#busy === 0) giveMemoryBack();
    return new Worker(WORKER, { ...smallThread, workerData: this.#spool });
  }

  /** Ends the threads that wait for a file. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }
}

type Outcome = Exclude<HashReply, { bytes: number }>;

/** Rejects with the error of a thread that ended, and with the signal's reason. */
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
