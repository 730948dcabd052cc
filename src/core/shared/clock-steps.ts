import type { Clock } from './clock.ts';

/**
 * How far the two clocks may drift apart between two looks without having been set, in
 * milliseconds.
 */
const driftMs = 1_000;

/**
 * Notices that the wall clock was set, or that the machine slept: the wall clock then advanced by
 * another time than the monotonic one.
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
   * Returns the milliseconds since a step was last noticed, which happens at the first call after
   * it; infinite if there was none.
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
