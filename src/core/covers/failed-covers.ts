import type { Clock } from '../shared/clock.ts';

/**
 * How long a failure prevents another attempt, in milliseconds. The time is long enough to avoid
 * constant retries. It is short enough to retry soon after a failure that only a busy machine
 * caused.
 */
const rememberedMs = 5 * 60_000;
const most = 1_000;

/** Remembers the covers for which making a thumbnail failed recently, by tag. */
export class FailedCovers {
  readonly #clock: Clock;
  /** For each tag, the time until which no attempt is made, ordered by the time of the failure. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(tag: string): boolean {
    return (this.#until.get(tag) ?? 0) > this.#clock.monotonic();
  }

  add(tag: string): void {
    this.#until.delete(tag);
    this.#until.set(tag, this.#clock.monotonic() + rememberedMs);
    const [oldest] = this.#until.keys();
    if (this.#until.size > most && oldest !== undefined) this.#until.delete(oldest);
  }
}
