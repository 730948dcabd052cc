import type { Clock } from '../shared/clock.ts';

/** Long enough that nobody makes us try all the time, short enough for one that failed because the machine was busy. */
const rememberedMs = 5 * 60_000;
const most = 1_000;

/** The covers of which no thumbnail could be made lately, by their tags. */
export class FailedCovers {
  readonly #clock: Clock;
  /** In the order in which they failed; until when they count. */
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
