import { LRUCache } from 'lru-cache';
import type { RecordFilter } from '../../core/releases/ports.ts';
import { AbortableRuns, throwBusyIfLeft } from '../../core/shared/concurrency/abortable-runs.ts';
import { digestOf } from '../../core/shared/id-marks.ts';
import { comparesOneOf, type SelectedSet } from '../../core/shared/release-rule.ts';
import { currentClient } from '../../core/shared/requests/client-context.ts';
import type { Engine } from '../engine/engine.ts';

/** The fields whose conditions depend on the library, not only on the catalogue. */
const libraryFields = ['library', 'added_days'] as const;

interface CachedValue<T> {
  readonly version: string;
  readonly value: T;
}

/**
 * Caches one value for each set. A change of the catalogue makes a value stale. If the set depends
 * on the library or on covers, a change of these makes the value stale too. Evicts the least
 * recently used values if the total size exceeds `maxSize`.
 */
export class SetCache<T> {
  readonly #engine: Pick<Engine, 'read'>;
  /** The cached values, by the key of their set. */
  readonly #cache: LRUCache<string, CachedValue<T>>;
  /**
   * The calculations that are in progress. Only clients of the same network share a calculation.
   * Otherwise a client might have to wait for another network's turn.
   */
  readonly #runs = new AbortableRuns<T>();

  constructor(
    engine: Pick<Engine, 'read'>,
    { maxSize, sizeOf }: { readonly maxSize: number; readonly sizeOf: (value: T) => number },
  ) {
    this.#engine = engine;
    this.#cache = new LRUCache({ maxSize, sizeCalculation: ({ value }) => sizeOf(value) });
  }

  /**
   * Returns the value for a set, from the cache or from `make`. `make` runs on behalf of all
   * clients that wait for the value. When all of them have disconnected, the signal of `make`'s
   * client is aborted.
   */
  async read(
    { set, coveredIds }: Pick<RecordFilter, 'coveredIds'> & { readonly set: SelectedSet },
    make: () => Promise<T>,
  ): Promise<T> {
    // Reads the version before making the value, so that a change meanwhile makes the cached value
    // stale.
    const version = await this.#version(set, coveredIds);
    const known = this.#cache.get(set.key);
    if (known?.version === version) return known.value;
    const run = `${currentClient()?.network} ${version} ${set.key}`;
    const value = this.#runs.get(run, async () => {
      const made = await make();
      this.#cache.set(set.key, { version, value: made });
      return made;
    });
    return value.catch(throwBusyIfLeft);
  }

  /**
   * Returns a text that changes whenever the releases of a set can change. The text need not
   * contain the day or the rules of other sets that the rule names, because these are part of the
   * key of a set.
   */
  async #version({ rule, prefer }: SelectedSet, coveredIds: CoveredIds): Promise<string> {
    const { catalogue, library } = await this.#engine.read
      .selectFrom('part_revision')
      .select('number as catalogue')
      .select((from) =>
        from.selectFrom('library_version').select('number').$asScalar().$notNull().as('library'),
      )
      .where('part', '=', 'catalogue')
      .executeTakeFirstOrThrow();
    const isOfLibrary = prefer?.among === 'library' || comparesOneOf(rule, libraryFields);
    const covers = comparesOneOf(rule, ['cover']) ? digestOf(coveredIds ?? []) : '';
    return `${catalogue}/${isOfLibrary ? library : ''}/${covers}`;
  }
}

type CoveredIds = RecordFilter['coveredIds'];
