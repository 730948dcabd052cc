import type { Clock } from './clock.ts';

/**
 * Maximum difference in milliseconds by which the wall clock and the monotonic clock may drift
 * apart between two checks. A larger difference means that the wall clock was set.
 */
const driftMs = 1_000;

/**
 * Detects that the wall clock was set, or that the machine slept. In both cases the wall clock has
 * advanced by another time than the monotonic clock.
 */
export class ClockSteps {
  readonly #clock: Clock;
  #ahead: number;
  #noticedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ahead = this.#look();
  }

  /**
   * Returns the milliseconds since a step of the wall clock was detected; infinite if there was
   * none. A step is detected by the first call after it.
   */
  sinceLast(): number {
    const ahead = this.#look();
    if (Math.abs(ahead - this.#ahead) > driftMs) this.#noticedAt = this.#clock.monotonic();
    this.#ahead = ahead;
    return this.#clock.monotonic() - this.#noticedAt;
  }

  #look(): number {
    return this.#clock.now() - this.#clock.monotonic();
  }
}
