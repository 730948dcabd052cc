import { Worker } from 'node:worker_threads';
import { smallThreadOptions } from '../small-thread.ts';

/** Message to the thread: start a stream, add a part (in shared memory), or end the stream. */
export type Md5Request = 'start' | 'end' | { readonly part: Uint8Array };
/**
 * Message from the thread: `taken` after the thread has hashed the oldest part, or the MD5 of the
 * stream.
 */
export type Md5Reply = 'taken' | { readonly md5: string };

// Use the extension of this module, because the build replaces `.ts` by `.js` in imports, but not
// in URLs.
const WORKER = new URL(
  `./md5-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/**
 * `PART` is the maximum size of a part, in bytes. `PARTS` is the maximum number of parts that wait
 * for the thread.
 */
const PART = 256 * 1024;
const PARTS = 16;

/**
 * A thread that calculates the MD5 of one stream after another. MD5 is the slowest of the three
 * hashes. This thread therefore runs concurrently with the thread that calculates the other hashes.
 */
export class Md5Thread {
  readonly #worker = new Worker(WORKER, smallThreadOptions);
  /**
   * Memory for `PARTS` parts, shared with the thread. The memory is reused for all parts, because
   * memory that is sent between threads would be freed late.
   */
  readonly #parts = new Uint8Array(new SharedArrayBuffer(PARTS * PART));
  #sent = 0;
  #waiting = 0;
  #md5: string | undefined;
  #failure: Error | undefined;
  #wake = () => {};

  constructor() {
    this.#worker.on('message', (reply: Md5Reply) => {
      if (reply === 'taken') this.#waiting -= 1;
      else this.#md5 = reply.md5;
      this.#wake();
    });
    const fail = (error: Error) => {
      this.#failure ??= error;
      this.#wake();
    };
    this.#worker.on('error', fail);
    this.#worker.on('exit', () => fail(new Error('the thread for MD5 ended')));
  }

  /** Starts a new stream. Abandons the previous stream if `digest` was not called. */
  start(): void {
    this.#send('start');
  }

  /**
   * Adds a piece to the stream. Resolves when the whole piece is copied. The caller may then
   * overwrite the piece. Throws an error if the thread has ended.
   */
  async update(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length; at += PART) {
      await this.#until(() => this.#waiting < PARTS);
      const copied = piece.subarray(at, at + PART);
      const start = (this.#sent % PARTS) * PART;
      const part = this.#parts.subarray(start, start + copied.length);
      part.set(copied);
      this.#sent += 1;
      this.#waiting += 1;
      this.#send({ part });
    }
  }

  /** Ends the stream and returns its MD5. Throws an error if the thread has ended. */
  async digest(): Promise<string> {
    this.#md5 = undefined;
    this.#send('end');
    await this.#until(() => this.#md5 !== undefined);
    return this.#md5 ?? '';
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.#failure) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #send(request: Md5Request): void {
    this.#worker.postMessage(request);
  }
}
