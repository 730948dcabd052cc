/**
 * A message to the worker: a request to hash a blob, or the id of a request to cancel (`giveUp`).
 */
export type HashRequest =
  | { readonly id: number; readonly blob: Blob }
  | { readonly giveUp: number };

/**
 * A message from the worker about a request: the number of bytes hashed so far (`done`), the
 * SHA-256, or the error text.
 */
export type HashResponse =
  | { readonly id: number; readonly done: number }
  | { readonly id: number; readonly sha256: Uint8Array }
  | { readonly id: number; readonly failure: string };

/** Calculates checksums of files. */
export interface Hasher {
  /**
   * Resolves with the SHA-256 of a file. Rejects with the signal's reason after an abort, or with
   * an error if the file cannot be read. `onProgress` is called with the number of bytes hashed so
   * far.
   */
  sha256(
    blob: Blob,
    signal: AbortSignal,
    onProgress?: (bytes: number) => void,
  ): Promise<Uint8Array>;
}

interface PendingHash {
  readonly resolve: (sha256: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: (bytes: number) => void;
}

/**
 * Calculates checksums in a worker. The worker starts with the first request and then keeps
 * running.
 */
export class WorkerHasher implements Hasher {
  readonly #waiting = new Map<number, PendingHash>();
  #worker: Worker | null = null;
  #last = 0;

  async sha256(
    blob: Blob,
    signal: AbortSignal,
    onProgress: (bytes: number) => void = () => {},
  ): Promise<Uint8Array> {
    signal.throwIfAborted();
    this.#last += 1;
    const id = this.#last;
    const worker = this.#started();
    const giveUp = () => {
      worker.postMessage({ giveUp: id } satisfies HashRequest);
      this.#waiting.get(id)?.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp);
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject, onProgress });
        worker.postMessage({ id, blob } satisfies HashRequest);
      });
    } finally {
      signal.removeEventListener('abort', giveUp);
      this.#waiting.delete(id);
    }
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<HashResponse>) => {
      const waiting = this.#waiting.get(data.id);
      if ('sha256' in data) waiting?.resolve(data.sha256);
      else if ('done' in data) waiting?.onProgress(data.done);
      else waiting?.reject(new Error(data.failure));
    };
    // The worker could not be loaded, so fail all current requests. The next request starts a new
    // worker.
    worker.onerror = () => {
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(new Error('no checksums'));
    };
    this.#worker = worker;
    return worker;
  }
}
