import type { Clock } from '../clock.ts';

/**
 * Maximum drift in milliseconds between the wall clock and the monotonic clock from one check to
 * the next. A larger drift means that the wall clock was set or that the machine slept.
 */
const driftMs = 1_000;

/**
 * Detects that the wall clock was set, or that the machine slept. In both cases, the wall clock and
 * the monotonic clock have advanced by different amounts.
 */
export class ClockSteps {
  readonly #clock: Clock;
  #ahead: number;
  #noticedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ahead = this.#currentLead();
  }

  /**
   * Returns the time in milliseconds since a step of the wall clock was detected, or infinity if no
   * step was detected. A step is detected by the first call after the step.
   */
  sinceLast(): number {
    const ahead = this.#currentLead();
    if (Math.abs(ahead - this.#ahead) > driftMs) this.#noticedAt = this.#clock.monotonic();
    this.#ahead = ahead;
    return this.#clock.monotonic() - this.#noticedAt;
  }

  #currentLead(): number {
    return this.#clock.now() - this.#clock.monotonic();
  }
}
