/** Size of a block, in bytes. Each block is one write, and one message to each hashing thread. */
export const blockBytes = 512 * 1024;
/**
 * Maximum number of blocks per file. While one block is filled, the others are written and hashed.
 */
const maxBlocksPerFile = 4;
/**
 * Maximum number of blocks of all files together. At this limit, a file that already has a block
 * gets no further block and reuses its own.
 */
const maxBlocks = 24;

/**
 * Unused blocks, up to `maxBlocks`. Blocks are reused, because memory that threads share is freed
 * late.
 */
const unusedBlocks: Uint8Array[] = [];
/** Number of blocks in use by files. */
let usedBlocks = 0;

/**
 * Copies bytes into a block from `position` on, as many as fit, and returns their number. Uses
 * `fill`, because `set`, and `copy` in Node 24, copy into memory that threads share byte by byte
 * unless both positions have the same alignment.
 */
function copyInto(block: Uint8Array, position: number, bytes: Uint8Array): number {
  const fitting = bytes.subarray(0, block.byteLength - position);
  Buffer.prototype.fill.call(block, fitting, position, position + fitting.byteLength);
  return fitting.byteLength;
}

/**
 * Fills blocks of shared memory with the bytes of one file, one block after the other. Each block
 * stays in use until the work on the block is done.
 */
export class SharedBlocks {
  readonly #work: (block: Uint8Array) => Promise<unknown>;
  readonly #idle: Uint8Array[] = [];
  readonly #running = new Set<Promise<void>>();
  /** The first error that the work threw. */
  #failure: { readonly error: unknown } | null = null;
  #count = 0;
  #filling: Uint8Array | null = null;
  #filled = 0;

  /** Calls `work` with each filled block, and at the end with the partly filled last one. */
  constructor(work: (block: Uint8Array) => Promise<unknown>) {
    this.#work = work;
  }

  /** Copies bytes into blocks. Rejects if the work on an earlier block failed. */
  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength; ) {
      this.#filling ??= await this.#next();
      const copied = copyInto(this.#filling, this.#filled, bytes.subarray(at));
      this.#filled += copied;
      at += copied;
      if (this.#filled === blockBytes) this.#begin(this.#filling);
    }
  }

  /**
   * Passes the last block to the work. Resolves when the work on all blocks is done. Throws the
   * first error of the work.
   */
  async end(): Promise<void> {
    if (this.#filling !== null) this.#begin(this.#filling);
    await Promise.all(this.#running);
    this.#throwFailure();
  }

  /** Releases the blocks when all work on them is done. Never throws. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#filling !== null) this.#idle.push(this.#filling);
    this.#filling = null;
    usedBlocks -= this.#count;
    this.#count = 0;
    unusedBlocks.push(...this.#idle.splice(0, maxBlocks - unusedBlocks.length));
  }

  async #next(): Promise<Uint8Array> {
    for (;;) {
      this.#throwFailure();
      const known = this.#idle.pop();
      if (known !== undefined) return known;
      if (this.#count === 0 || (this.#count < maxBlocksPerFile && usedBlocks < maxBlocks)) break;
      await Promise.race(this.#running);
    }
    this.#count += 1;
    usedBlocks += 1;
    return unusedBlocks.pop() ?? new Uint8Array(new SharedArrayBuffer(blockBytes));
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
