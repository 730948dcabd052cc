import type { Clock } from '../shared/clock.ts';
import { notReady } from '../shared/errors.ts';
import type { FileArea } from '../shared/file-area.ts';

/** How long a result counts, so that several monitors cost one check per second. */
const keptMs = 1_000;

/** Checks whether the database and the areas are writable, by actually writing. */
export class Readiness {
  readonly #checkDatabase: () => Promise<void>;
  readonly #areas: readonly Pick<FileArea, 'stage'>[];
  readonly #clock: Clock;
  #decided: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  constructor(parts: {
    /** Writes something that changes nothing; throws when that fails. */
    checkDatabase: () => Promise<void>;
    areas: readonly Pick<FileArea, 'stage'>[];
    clock: Clock;
  }) {
    this.#checkDatabase = parts.checkDatabase;
    this.#areas = parts.areas;
    this.#clock = parts.clock;
  }

  /** Throws `not ready` when something is not writable. Checks at most once a second. */
  check(): Promise<void> {
    const now = this.#clock.monotonic();
    if (this.#decided === undefined || now - this.#decided.at >= keptMs) {
      this.#decided = { at: now, outcome: this.#try() };
    }
    return this.#decided.outcome;
  }

  async #try(): Promise<void> {
    try {
      await this.#checkDatabase();
      for (const area of this.#areas) await (await area.stage(oneByte())).discard();
    } catch (error) {
      throw notReady(error);
    }
  }
}

async function* oneByte(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
}
