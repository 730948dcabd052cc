/** Of a block: one write, one message to each thread that hashes it. */
export const blockBytes = 512 * 1024;
/** Those of one file at a time: while one is filled, others are written and hashed. */
const mostAtOnce = 4;
/** Those of all files: with so many a file that has one of its own waits for that. */
const mostOfAll = 24;

/** Blocks that nobody uses, at most so many: memory that threads share is given back late, so it is used again. */
const free: Uint8Array[] = [];
/** Those that files have. */
let taken = 0;

function copy(bytes: Uint8Array, block: Uint8Array, to: number, from: number): number {
  return Buffer.prototype.copy.call(bytes, block, to, from);
}

/** Blocks of memory that threads share, filled one after the other for one file; each is used until its work is done. */
export class SharedBlocks {
  readonly #work: (block: Uint8Array) => Promise<unknown>;
  readonly #idle: Uint8Array[] = [];
  readonly #running = new Set<Promise<void>>();
  /** What work threw first. */
  #failure: { readonly error: unknown } | null = null;
  #count = 0;
  #filling: Uint8Array | null = null;
  #filled = 0;

  /** `work` is done with each block that was filled, and with what the last one holds. */
  constructor(work: (block: Uint8Array) => Promise<unknown>) {
    this.#work = work;
  }

  /** Copies bytes; resolves when all are copied. Throws what the work with those before threw. */
  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength; ) {
      this.#filling ??= await this.#next();
      // `set` copies into memory that threads share word by word.
      const copied = copy(bytes, this.#filling, this.#filled, at);
      this.#filled += copied;
      at += copied;
      if (this.#filled === blockBytes) this.#begin(this.#filling);
    }
  }

  /** Resolves when the work with all that was added is done; throws what it threw. */
  async end(): Promise<void> {
    if (this.#filling !== null) this.#begin(this.#filling);
    await Promise.all(this.#running);
    this.#throwFailure();
  }

  /** Lets the blocks go when nothing uses them any more; never throws. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#filling !== null) this.#idle.push(this.#filling);
    this.#filling = null;
    taken -= this.#count;
    this.#count = 0;
    free.push(...this.#idle.splice(0, mostOfAll - free.length));
  }

  async #next(): Promise<Uint8Array> {
    for (;;) {
      this.#throwFailure();
      const known = this.#idle.pop();
      if (known !== undefined) return known;
      if (this.#count === 0 || (this.#count < mostAtOnce && taken < mostOfAll)) break;
      await Promise.race(this.#running);
    }
    this.#count += 1;
    taken += 1;
    return free.pop() ?? new Uint8Array(new SharedArrayBuffer(blockBytes));
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  #begin(block: Uint8Array): void {
    const filled = block.subarray(0, this.#filled);
    this.#filling = null;
    this.#filled = 0;
    const running = this.#work(filled)
      .then(
        () => void this.#idle.push(block),
        (error: unknown) => {
          this.#failure ??= { error };
        },
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
