import { partsOf, type ReleaseRule, type SelectedSet } from '../../core/shared/release-rule.ts';
import { currentClient, withClientNetwork } from '../../core/shared/requests/client-context.ts';
import type { Engine } from '../engine/engine.ts';

/** Maximum number of cached counts. */
const maxCounts = 2_000;

/** The fields whose conditions depend on the library, not only on the catalogue. */
const libraryFields: readonly string[] = ['library', 'added_days'];

/**
 * Caches how many releases sets have, until the catalogue changes, or the library for rules that
 * depend on it.
 */
export class SetCounts {
  readonly #engine: Pick<Engine, 'read'>;
  /** By the key of a set. The most recently used count is the last entry. */
  readonly #counts = new Map<string, { readonly version: string; readonly count: number }>();
  /**
   * The counts that are running. Only clients of the same network share one. Otherwise a client
   * might have to wait for another network's turn.
   */
  readonly #running = new Map<string, Promise<number>>();

  constructor(engine: Pick<Engine, 'read'>) {
    this.#engine = engine;
  }

  /** Returns the number of releases of a set; `count` counts them. */
  async read(set: SelectedSet, count: () => Promise<number>): Promise<number> {
    // Reads the version before counting, so that a change during the count makes the cached count
    // stale.
    const version = await this.#version(set.rule);
    const known = this.#counts.get(set.key);
    if (known?.version === version) {
      this.#keep(set.key, known);
      return known.count;
    }
    const run = `${currentClient()?.network} ${version} ${set.key}`;
    const running = this.#running.get(run) ?? withClientNetwork(count);
    this.#running.set(run, running);
    try {
      const counted = await running;
      this.#keep(set.key, { version, count: counted });
      return counted;
    } finally {
      this.#running.delete(run);
    }
  }

  #keep(key: string, counted: { readonly version: string; readonly count: number }): void {
    this.#counts.delete(key);
    this.#counts.set(key, counted);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > maxCounts && oldest !== undefined) this.#counts.delete(oldest);
  }

  /**
   * Returns a text that changes whenever the releases of a set can change. The day, and the rules
   * of the sets that a rule names, are part of the key of a set.
   */
  async #version(rule: ReleaseRule): Promise<string> {
    const { catalogue, library } = await this.#engine.read
      .selectFrom('part_revision')
      .select('number as catalogue')
      .select((from) =>
        from.selectFrom('library_version').select('number').$asScalar().$notNull().as('library'),
      )
      .where('part', '=', 'catalogue')
      .executeTakeFirstOrThrow();
    return dependsOnLibrary(rule) ? `${catalogue}/${library}` : `${catalogue}`;
  }
}

function dependsOnLibrary(rule: ReleaseRule): boolean {
  return 'field' in rule
    ? libraryFields.includes(rule.field)
    : partsOf(rule).some((part) => dependsOnLibrary(part));
}
