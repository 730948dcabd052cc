import { pause } from './pause.ts';

/**
 * Minimum pause in milliseconds. Shorter pauses are skipped, because a pause takes longer than
 * requested.
 */
const leastMs = 10;

/** Limits work to a number of bytes per second, on average. */
export class Throttle {
  readonly #bytesPerMs: number;
  readonly #now: () => number;
  #until = 0;

  /** `now` must return milliseconds that never decrease. */
  constructor(bytesPerSecond: number, now: () => number) {
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#now = now;
  }

  /**
   * Adds to the number of processed bytes. Resolves when the time that all bytes so far should take
   * has passed. Rejects with the signal's reason.
   */
  async took(bytes: number, signal: AbortSignal): Promise<void> {
    const now = this.#now();
    this.#until = Math.max(this.#until, now) + bytes / this.#bytesPerMs;
    if (this.#until - now > leastMs) await pause(this.#until - now, signal);
  }
}
