import { pause } from './pause.ts';

/** Shorter pauses cost more than they slow down. */
const leastMs = 10;

/** Keeps work to so many bytes a second, on average. */
export class Throttle {
  readonly #bytesPerMs: number;
  readonly #now: () => number;
  #until = 0;

  /** `now` tells milliseconds that only grow. */
  constructor(bytesPerSecond: number, now: () => number) {
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#now = now;
  }

  /** Resolves when what was taken until now took as long as it should; rejects with the signal's reason. */
  async took(bytes: number, signal: AbortSignal): Promise<void> {
    const now = this.#now();
    this.#until = Math.max(this.#until, now) + bytes / this.#bytesPerMs;
    if (this.#until - now > leastMs) await pause(this.#until - now, signal);
  }
}
