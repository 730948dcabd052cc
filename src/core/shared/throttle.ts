import { pause } from './pause.ts';

/** Minimum pause in milliseconds: shorter pauses cost more than they slow down. */
const leastMs = 10;

/** Limits work to a number of bytes per second, on average. */
export class Throttle {
  readonly #bytesPerMs: number;
  readonly #now: () => number;
  #until = 0;

  /** `now` returns milliseconds that never decrease. */
  constructor(bytesPerSecond: number, now: () => number) {
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#now = now;
  }

  /**
   * Counts bytes. Resolves when all bytes so far took as long as they should; rejects with the
   * signal's reason.
   */
  async took(bytes: number, signal: AbortSignal): Promise<void> {
    const now = this.#now();
    this.#until = Math.max(this.#until, now) + bytes / this.#bytesPerMs;
    if (this.#until - now > leastMs) await pause(this.#until - now, signal);
  }
}
