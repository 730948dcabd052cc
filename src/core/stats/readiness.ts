import type { Clock } from '../shared/clock.ts';
import { notReady } from '../shared/errors.ts';
import type { FileArea } from '../shared/files/file-area.ts';

/**
 * How long a result is reused, in milliseconds. Several monitors together then cause at most one
 * check per second.
 */
const keptMs = 1_000;

/** Checks that the database and the areas are writable, by writing to them. */
export class Readiness {
  readonly #checkDatabase: () => Promise<void>;
  readonly #areas: readonly Pick<FileArea, 'stage'>[];
  readonly #clock: Clock;
  #decided: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  constructor(parts: {
    /** Makes a write that changes nothing. Rejects if the database is not writable. */
    checkDatabase: () => Promise<void>;
    areas: readonly Pick<FileArea, 'stage'>[];
    clock: Clock;
  }) {
    this.#checkDatabase = parts.checkDatabase;
    this.#areas = parts.areas;
    this.#clock = parts.clock;
  }

  /**
   * Throws `not ready` when the database or an area is not writable. Makes at most one check per
   * second.
   */
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
