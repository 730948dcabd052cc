import { Worker } from 'node:worker_threads';
import type { HashAlgorithm, Hashes, RunningHash } from '../../core/uploads/ports.ts';
import type { HashReply, HashRequest } from './hash-messages.ts';

// The file's extension is `.ts` in development and `.js` in dist. The build changes extensions in
// imports but not in URLs.
const module = new URL(
  `./hash-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);
/**
 * Limits of the thread's heap. Low limits suffice, because the bytes that the thread reads are
 * stored outside of the heap.
 */
const workerOptions = {
  execArgv: [],
  resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 },
};
/** Time in milliseconds after which an idle thread is closed. */
const idleMs = 10_000;

const threadEnded = () => new Error('the thread for hashes ended');

/**
 * Calculates hashes of many byte streams on a separate thread. The thread starts with the first
 * hash, and ends `idleMs` after the last hash. Call `close` when no more hashes are needed.
 */
export class HashThread implements Hashes {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #waiting: { resolve(reply: HashReply): void; reject(error: Error): void }[] = [];
  #last = 0;
  #open = 0;

  start(algorithm: HashAlgorithm): RunningHash {
    this.#worker ??= this.#startWorker();
    const hash = this.#begin(this.#worker);
    this.#send({ action: 'start', id: hash.id, algorithm });
    return hash;
  }

  async update(hashes: readonly RunningHash[], bytes: Uint8Array): Promise<void> {
    const mine = hashes.filter((hash) => hash instanceof ThreadHash);
    if (mine.some(({ worker }) => worker !== this.#worker)) throw threadEnded();
    await this.#request({ action: 'update', ids: mine.map(({ id }) => id), bytes });
  }

  /**
   * Adds the pieces to a hash. Transfers their memory to the thread, which frees it. The caller
   * must not use the pieces after this call. The promise resolves when the pieces are hashed.
   */
  async transfer(hash: RunningHash, pieces: readonly Uint8Array[]): Promise<void> {
    if (!(hash instanceof ThreadHash) || hash.worker !== this.#worker) throw threadEnded();
    const transferred = pieces.map(withOwnMemory);
    const memory = transferred.map(({ buffer }) => buffer);
    await this.#request({ action: 'transfer', id: hash.id, pieces: transferred }, memory);
  }

  /** `copy`, `digest` and `drop` implement the methods of `RunningHash`. */
  copy({ id, worker }: ThreadHash): RunningHash {
    const copy = this.#begin(worker);
    if (worker === this.#worker) this.#send({ action: 'copy', id, to: copy.id });
    return copy;
  }

  async digest({ id, worker }: ThreadHash): Promise<Buffer> {
    this.#end();
    if (worker !== this.#worker) throw threadEnded();
    const digest = await this.#request({ action: 'end', id });
    if (digest === null) throw new Error('the thread for hashes sent no digest');
    return Buffer.from(digest);
  }

  drop({ id, worker }: ThreadHash): void {
    this.#end();
    if (worker === this.#worker) this.#send({ action: 'drop', id });
  }

  /** Ends the thread. Unfinished hashes fail. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#giveUp(threadEnded())?.terminate();
  }

  #begin(worker: Worker): ThreadHash {
    clearTimeout(this.#idle);
    this.#open += 1;
    this.#last += 1;
    return new ThreadHash(this.#last, worker, this);
  }

  #end(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }

  #request(request: HashRequest, memory?: readonly ArrayBuffer[]): Promise<HashReply> {
    return new Promise((resolve, reject) => {
      this.#send(request, memory); // may throw; then no reply arrives
      this.#worker?.ref();
      this.#waiting.push({ resolve, reject });
    });
  }

  #send(request: HashRequest, memory: readonly ArrayBuffer[] = []): void {
    this.#worker?.postMessage(request, memory);
  }

  #startWorker(): Worker {
    const worker = new Worker(module, workerOptions);
    worker.on('message', (reply: HashReply) => {
      if (this.#worker !== worker) return; // its requests have failed
      this.#waiting.shift()?.resolve(reply);
      if (this.#waiting.length === 0) worker.unref();
    });
    worker.unref(); // only a pending request keeps the process alive
    const fail = (error: Error) => {
      if (this.#worker === worker) this.#giveUp(error);
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(threadEnded()));
    return worker;
  }

  #giveUp(error: Error): Worker | undefined {
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    return worker;
  }
}

/**
 * Returns the piece, or a copy if the piece shares its memory with other bytes. Node allocates
 * small buffers in a shared pool.
 */
function withOwnMemory(piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = piece;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === piece.byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(piece);
}

/** A hash that a thread calculates. After the thread has ended, the hash cannot be continued. */
class ThreadHash implements RunningHash {
  readonly id: number;
  readonly worker: Worker;
  readonly #thread: HashThread;

  constructor(id: number, worker: Worker, thread: HashThread) {
    this.id = id;
    this.worker = worker;
    this.#thread = thread;
  }

  copy(): RunningHash {
    return this.#thread.copy(this);
  }

  digest(): Promise<Buffer> {
    return this.#thread.digest(this);
  }

  drop(): void {
    this.#thread.drop(this);
  }
}
