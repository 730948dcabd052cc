import type { Clock } from '../shared/clock.ts';

/**
 * The parts that a server needs for writes: the database, the version of its schema, the storage of
 * archives and covers, and the local folder of temporary files. Responses name those that are not
 * ready.
 */
export const writtenParts = ['database', 'schema', 'files', 'tmp'] as const;
export type WrittenPart = (typeof writtenParts)[number];

/**
 * How long a result is reused, in milliseconds. Several monitors together then cause at most one
 * check per second.
 */
const reuseMs = 1_000;

/** The parts that are not ready, with the error of each. Empty if writes would succeed. */
export type NotReady = ReadonlyMap<WrittenPart, unknown>;

/** Checks that all parts that writes need are writable, by writing to them. */
export class Readiness {
  readonly #checks: Readonly<Record<WrittenPart, () => Promise<unknown>>>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #onChange: (notReady: NotReady) => void;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #outcome: Promise<readonly WrittenPart[]> | undefined;
  #isRunning = false;
  #last = '';

  constructor(parts: {
    /** Each check rejects if its part is not ready. */
    checks: Readonly<Record<WrittenPart, () => Promise<unknown>>>;
    clock: Pick<Clock, 'monotonic'>;
    /** Called when the parts that are not ready have changed. */
    onChange: (notReady: NotReady) => void;
  }) {
    this.#checks = parts.checks;
    this.#clock = parts.clock;
    this.#onChange = parts.onChange;
  }

  /**
   * Returns the parts that are not ready; none if writes would succeed. Makes at most one check per
   * second, and one at a time.
   */
  findNotReady(): Promise<readonly WrittenPart[]> {
    const now = this.#clock.monotonic();
    const isReused = this.#isRunning || now - this.#checkedAt < reuseMs;
    if (this.#outcome !== undefined && isReused) return this.#outcome;
    this.#checkedAt = now;
    this.#isRunning = true;
    this.#outcome = this.#check().finally(() => {
      this.#isRunning = false;
    });
    return this.#outcome;
  }

  async #check(): Promise<readonly WrittenPart[]> {
    const failures = new Map<WrittenPart, unknown>();
    const checks = writtenParts.map(async (part) => {
      await this.#checks[part]().catch((error: unknown) => failures.set(part, error));
    });
    await Promise.all(checks);
    const names = writtenParts.filter((part) => failures.has(part));
    if (names.join() !== this.#last) {
      this.#onChange(new Map(names.map((part) => [part, failures.get(part)])));
    }
    this.#last = names.join();
    return names;
  }
}
