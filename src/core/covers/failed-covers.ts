import type { Clock } from '../shared/clock.ts';

/**
 * How long a failure prevents another attempt, in milliseconds. Long enough to avoid constant
 * retries. Short enough for a failure that only a busy machine caused.
 */
const rememberedMs = 5 * 60_000;
const most = 1_000;

/** The covers whose thumbnail could recently not be made, by tag. */
export class FailedCovers {
  readonly #clock: Clock;
  /**
   * The time until which each cover is not tried again, by tag, ordered by the time of the failure.
   */
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
