import type { Clock } from './clock.ts';

/** What a clock gains or loses between two looks without having been set. */
const driftMs = 1_000;

/** Notices that the wall clock was set, or the machine slept: it went on by another time than the monotonic one. */
export class ClockSteps {
  readonly #clock: Clock;
  #ahead: number;
  #noticedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ahead = this.#look();
  }

  /** Milliseconds since it was noticed last, which is at the first look after it; infinite when it never was. */
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
