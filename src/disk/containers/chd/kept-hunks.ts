/** Number of cached hunks, the ones unpacked last. With more of them, memory is freed late. */
const KEPT = 2;

/** Caches the hunks that were unpacked last, and reuses the memory that hunks are unpacked into. */
export class KeptHunks {
  readonly #hunkBytes: number;
  readonly #slots: { number: number; bytes: Buffer; own?: Buffer }[] = [];
  #oldest = 0;

  constructor(hunkBytes: number) {
    this.#hunkBytes = hunkBytes;
    for (let i = 0; i < KEPT; i += 1) this.#slots.push({ number: -1, bytes: Buffer.alloc(0) });
  }

  get(number: number): Buffer | undefined {
    return this.#slots.find((slot) => slot.number === number)?.bytes;
  }

  /** Returns a buffer to unpack the next hunk into; evicts the oldest hunk. */
  place(): Buffer {
    const slot = this.#slot();
    slot.number = -1;
    // A separate allocation outside Node's pool, so that it starts at a multiple of 4.
    slot.own ??= Buffer.allocUnsafeSlow(this.#hunkBytes);
    return slot.own;
  }

  /** Caches a hunk in place of the oldest. */
  set(number: number, bytes: Buffer): void {
    Object.assign(this.#slot(), { number, bytes });
    this.#oldest = (this.#oldest + 1) % KEPT;
  }

  #slot() {
    return this.#slots[this.#oldest] as { number: number; bytes: Buffer; own?: Buffer };
  }
}
