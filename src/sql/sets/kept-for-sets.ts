import { LRUCache } from 'lru-cache';
import { partsOf, type ReleaseRule, type SelectedSet } from '../../core/shared/release-rule.ts';
import { currentClient, withClientNetwork } from '../../core/shared/requests/client-context.ts';
import type { Engine } from '../engine/engine.ts';

/** The fields whose conditions depend on the library, not only on the catalogue. */
const libraryFields: readonly string[] = ['library', 'added_days'];

interface Kept<T> {
  readonly version: string;
  readonly value: T;
}

/**
 * Keeps a value for each set until the catalogue changes, or the library for sets that depend on
 * it. The values that were used last are kept, up to `maxSize` together.
 */
export class KeptForSets<T> {
  readonly #engine: Pick<Engine, 'read'>;
  /** By the key of a set. */
  readonly #kept: LRUCache<string, Kept<T>>;
  /**
   * The values that are being made. Only clients of the same network share one. Otherwise a client
   * might have to wait for another network's turn.
   */
  readonly #running = new Map<string, Promise<T>>();

  constructor(
    engine: Pick<Engine, 'read'>,
    { maxSize, sizeOf }: { readonly maxSize: number; readonly sizeOf: (value: T) => number },
  ) {
    this.#engine = engine;
    this.#kept = new LRUCache({ maxSize, sizeCalculation: ({ value }) => sizeOf(value) });
  }

  /** Returns the value for a set; `make` makes it. */
  async read(set: SelectedSet, make: () => Promise<T>): Promise<T> {
    // Reads the version before making the value, so that a change meanwhile makes the kept value
    // stale.
    const version = await this.#version(set);
    const known = this.#kept.get(set.key);
    if (known?.version === version) return known.value;
    const run = `${currentClient()?.network} ${version} ${set.key}`;
    const running = this.#running.get(run) ?? withClientNetwork(make);
    this.#running.set(run, running);
    try {
      const value = await running;
      this.#kept.set(set.key, { version, value });
      return value;
    } finally {
      this.#running.delete(run);
    }
  }

  /**
   * Returns a text that changes whenever the releases of a set can change. The day, and the rules
   * of the sets that a rule names, are part of the key of a set.
   */
  async #version({ rule, prefer }: SelectedSet): Promise<string> {
    const { catalogue, library } = await this.#engine.read
      .selectFrom('part_revision')
      .select('number as catalogue')
      .select((from) =>
        from.selectFrom('library_version').select('number').$asScalar().$notNull().as('library'),
      )
      .where('part', '=', 'catalogue')
      .executeTakeFirstOrThrow();
    const isOfLibrary = prefer?.among === 'library' || dependsOnLibrary(rule);
    return isOfLibrary ? `${catalogue}/${library}` : `${catalogue}`;
  }
}

function dependsOnLibrary(rule: ReleaseRule): boolean {
  return 'field' in rule
    ? libraryFields.includes(rule.field)
    : partsOf(rule).some((part) => dependsOnLibrary(part));
}
