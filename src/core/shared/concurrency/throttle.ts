import { pause } from './pause.ts';

/**
 * Minimum pause in milliseconds. Shorter pauses are skipped, because the real duration of a pause
 * exceeds the requested duration.
 */
const minPauseMs = 10;

/** Limits work to an average number of bytes per second. */
export class Throttle {
  readonly #bytesPerMs: number;
  readonly #now: () => number;
  #until = 0;

  /** `now` must return a time in milliseconds that never decreases. */
  constructor(bytesPerSecond: number, now: () => number) {
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#now = now;
  }

  /**
   * Counts `bytes` as processed. Resolves when all bytes counted so far are within the allowed
   * rate. Rejects with the signal's reason if the signal is aborted meanwhile.
   */
  async consume(bytes: number, signal: AbortSignal): Promise<void> {
    const now = this.#now();
    this.#until = Math.max(this.#until, now) + bytes / this.#bytesPerMs;
    if (this.#until - now > minPauseMs) await pause(this.#until - now, signal);
  }
}
