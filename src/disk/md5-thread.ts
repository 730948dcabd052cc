import { Worker } from 'node:worker_threads';

/** To the thread: a new stream, a piece of it, its end. */
export type Md5Request = 'start' | 'end' | Uint8Array;
/** From the thread: bytes that it has taken, or the hash at the end. */
export type Md5Reply = { taken: number } | { md5: string };

// tsc rewrites the ending of imports but not of a URL: `.ts` in development, `.js` in dist.
const WORKER = new URL(
  `./md5-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** Bytes that wait for the thread at most. */
const MOST_WAITING = 8 * 1024 * 1024;

/** A thread that makes the MD5 of one stream after the other: the slowest of the three hashes, beside the others. */
export class Md5Thread {
  readonly #worker = new Worker(WORKER, { execArgv: [] });
  #waiting = 0;
  #md5: string | undefined;
  #failure: Error | undefined;
  #wake = () => {};

  constructor() {
    this.#worker.on('message', (reply: Md5Reply) => {
      if ('taken' in reply) this.#waiting -= reply.taken;
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

  /** Begins a stream; one that was not ended is given up. */
  start(): void {
    this.#send('start');
  }

  /** Copies a piece; resolves when the next one may come. Throws the error of a thread that ended. */
  async update(piece: Uint8Array): Promise<void> {
    const copy = Uint8Array.from(piece);
    this.#waiting += copy.length;
    this.#send(copy);
    await this.#until(() => this.#waiting <= MOST_WAITING);
  }

  /** The hash of the stream. Throws as `update`. */
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
    const isPiece = typeof request !== 'string';
    this.#worker.postMessage(request, isPiece ? [request.buffer as ArrayBuffer] : []);
  }
}
