const windowMs = 10_000;

/** Measures the speed of a transfer over the last ten seconds. */
export class Speed {
  #samples: { readonly at: number; readonly bytes: number }[] = [];

  /**
   * Records the number of bytes transferred since the last call. `now` is the current time in
   * milliseconds.
   */
  record(bytes: number, now: number): void {
    this.#samples.push({ at: now, bytes });
    this.#forget(now);
  }

  /** Returns the speed in bytes per second. Returns 0 until half a second has been measured. */
  perSecond(now: number): number {
    this.#forget(now);
    const [first] = this.#samples;
    const ms = first === undefined ? 0 : now - first.at;
    if (ms < 500) return 0;
    const bytes = this.#samples.slice(1).reduce((sum, each) => sum + each.bytes, 0);
    return Math.max(0, (bytes * 1000) / ms);
  }

  #forget(now: number): void {
    this.#samples = this.#samples.filter(({ at }) => now - at <= windowMs);
  }
}
