/** Number of cached hunks. Caching more hunks would delay freeing their memory. */
const CACHED_HUNKS = 2;

/**
 * Caches the hunks that were unpacked last, and reuses the buffers into which hunks are unpacked.
 */
export class HunkCache {
  readonly #hunkBytes: number;
  readonly #slots: { number: number; bytes: Buffer; own?: Buffer }[] = [];
  #oldest = 0;

  constructor(hunkBytes: number) {
    this.#hunkBytes = hunkBytes;
    for (let i = 0; i < CACHED_HUNKS; i += 1)
      this.#slots.push({ number: -1, bytes: Buffer.alloc(0) });
  }

  get(number: number): Buffer | undefined {
    return this.#slots.find((slot) => slot.number === number)?.bytes;
  }

  /** Evicts the oldest hunk, and returns a buffer into which the next hunk can be unpacked. */
  nextBuffer(): Buffer {
    const slot = this.#slot();
    slot.number = -1;
    // Allocate outside Node's pool, so that the buffer starts at a multiple of 4 in memory.
    slot.own ??= Buffer.allocUnsafeSlow(this.#hunkBytes);
    return slot.own;
  }

  /** Caches a hunk in place of the oldest cached hunk. */
  set(number: number, bytes: Buffer): void {
    Object.assign(this.#slot(), { number, bytes });
    this.#oldest = (this.#oldest + 1) % CACHED_HUNKS;
  }

  #slot() {
    return this.#slots[this.#oldest] as { number: number; bytes: Buffer; own?: Buffer };
  }
}
