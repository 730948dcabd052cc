import type { Clock } from '../shared/clock.ts';

/**
 * Long enough to prevent constant retries, short enough for a failure that was due to a busy
 * machine.
 */
const rememberedMs = 5 * 60_000;
const most = 1_000;

/** The covers whose thumbnail recently could not be made, by tag. */
export class FailedCovers {
  readonly #clock: Clock;
  /** The end of each failure's time, in the order of the failures. */
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
