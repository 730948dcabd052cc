/** A message to the worker. */
export type HashQuestion =
  | { readonly id: number; readonly blob: Blob }
  | { readonly giveUp: number };

/** A message from the worker: the progress in bytes, or finally the digest or the error. */
export type HashAnswer =
  | { readonly id: number; readonly done: number }
  | { readonly id: number; readonly sha256: Uint8Array }
  | { readonly id: number; readonly failure: string };

/** Calculates checksums of files. */
export interface Hasher {
  /**
   * Rejects with the signal's reason, or if the file cannot be read. `onProgress` receives the
   * number of bytes hashed so far.
   */
  sha256(
    blob: Blob,
    signal: AbortSignal,
    onProgress?: (bytes: number) => void,
  ): Promise<Uint8Array>;
}

interface Waiting {
  readonly resolve: (sha256: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: (bytes: number) => void;
}

/** Calculates checksums in a worker that is started on first use and then kept running. */
export class WorkerHasher implements Hasher {
  readonly #waiting = new Map<number, Waiting>();
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
      worker.postMessage({ giveUp: id } satisfies HashQuestion);
      this.#waiting.get(id)?.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp);
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject, onProgress });
        worker.postMessage({ id, blob } satisfies HashQuestion);
      });
    } finally {
      signal.removeEventListener('abort', giveUp);
      this.#waiting.delete(id);
    }
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<HashAnswer>) => {
      const waiting = this.#waiting.get(data.id);
      if ('sha256' in data) waiting?.resolve(data.sha256);
      else if ('done' in data) waiting?.onProgress(data.done);
      else waiting?.reject(new Error(data.failure));
    };
    // The worker could not be loaded: the next file tries again.
    worker.onerror = () => {
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(new Error('no checksums'));
    };
    this.#worker = worker;
    return worker;
  }
}
