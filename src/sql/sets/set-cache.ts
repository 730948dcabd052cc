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
 * Keeps a value for each set until the catalogue changes, or the library or the covers for sets
 * that depend on them. The values that were used last are kept, up to `maxSize` together.
 */
export class SetCache<T> {
  readonly #engine: Pick<Engine, 'read'>;
  /** By the key of a set. */
  readonly #cache: LRUCache<string, CachedValue<T>>;
  /**
   * The values that are being made. Only clients of the same network share one. Otherwise a client
   * might have to wait for another network's turn.
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
   * Returns the value for a set, which `make` makes. `make` runs on behalf of all clients that wait
   * for the value. When they have left, the signal of its client is aborted.
   */
  async read(
    { set, coveredIds }: Pick<RecordFilter, 'coveredIds'> & { readonly set: SelectedSet },
    make: () => Promise<T>,
  ): Promise<T> {
    // Reads the version before making the value, so that a change meanwhile makes the kept value
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
   * Returns a text that changes whenever the releases of a set can change. The day, and the rules
   * of the sets that a rule names, are part of the key of a set.
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
