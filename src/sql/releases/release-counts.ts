import { sql } from 'kysely';
import type { Initial, InitialOrder, RecordFilter } from '../../core/releases/ports.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { filterSearches } from './filters/filter-searches.ts';
import { isOfRegions, severalConditions } from './filters/several-values.ts';
import { type Condition, hasRegion, ofPlatform } from './release-conditions.ts';
import {
  type ExactValues,
  exactValues,
  exhaustiveConditions,
  filteredBy,
} from './release-filter.ts';
import type { Trigrams } from './trigram-sample.ts';

/**
 * A filter, in the forms in which counts need it. If `conditions` is empty, `release_count` answers
 * the count.
 */
export interface CountedFilter {
  readonly values: ExactValues;
  /** Conditions on several values. Rows of `release_count` can be checked by them too. */
  readonly several: readonly Condition[];
  /** Conditions by which only rows of `release` can be checked. */
  readonly conditions: readonly Condition[];
}

export async function prepareCountFilter(
  { longRead }: Pick<Engine, 'longRead'>,
  filter: RecordFilter,
  trigrams: Trigrams,
): Promise<CountedFilter> {
  const searches = await filterSearches(longRead, filter, trigrams);
  return {
    values: exactValues(filter),
    several: severalConditions(longRead, filter),
    conditions: exhaustiveConditions(searches),
  };
}

/**
 * Returns a query for the rows of `release_count` that count the visible releases with these
 * values. The table has the alias `release`. The caller must sum up the column `releases`.
 */
export function countedBy(
  db: Database,
  { system, platformKey, region }: ExactValues,
  several: readonly Condition[] = [],
) {
  const counted = db
    .selectFrom('release_count as release')
    .where('release.hidden', '=', false)
    .$if(system !== undefined, (query) => query.where('release.system', '=', system ?? ''))
    .$if(platformKey !== undefined, (query) => query.where(ofPlatform(sql.val(platformKey ?? ''))))
    .$if(region !== undefined, (query) =>
      query.where(isOfRegions(hasRegion(db, sql.val(region ?? '')))),
    );
  return several.reduce((narrowed, condition) => narrowed.where(condition), counted);
}

/**
 * Returns a query for the releases that match a filter. Needed if `release_count` cannot count
 * these releases.
 */
export function countedRows(db: Database, { values, several, conditions }: CountedFilter) {
  return filteredBy(db, 'listed', values, [...conditions, ...several]);
}

/** Returns the number of releases that match a filter. */
export async function countFound(
  engine: Pick<Engine, 'read' | 'longRead'>,
  filter: RecordFilter,
  trigrams: Trigrams,
): Promise<number> {
  return countOf(engine, await prepareCountFilter(engine, filter, trigrams));
}

export async function countOf(
  { read, longRead }: Pick<Engine, 'read' | 'longRead'>,
  counted: CountedFilter,
): Promise<number> {
  const { values, several, conditions } = counted;
  const { count } =
    conditions.length === 0
      ? await countedBy(read, values, several)
          .select((is) => is.fn.sum<number | null>('release.releases').as('count'))
          .executeTakeFirstOrThrow()
      : await countedRows(longRead, counted)
          .select((is) => is.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
  return count ?? 0;
}

const initialColumns = {
  name: { counted: 'release.initial', text: 'release.name' },
  title: { counted: 'release.title_initial', text: 'release.sort_name' },
} as const satisfies Record<InitialOrder, object>;

/**
 * Returns the first characters of the texts by which all releases that match a filter are sorted.
 * Each character includes the number of its releases, and the list offset of the first of these
 * releases.
 */
export async function countInitials(
  engine: Pick<Engine, 'read' | 'longRead'>,
  filter: RecordFilter,
  trigrams: Trigrams,
  order: InitialOrder = 'name',
): Promise<Initial[]> {
  const found = await prepareCountFilter(engine, filter, trigrams);
  const { values, several, conditions } = found;
  const { counted, text } = initialColumns[order];
  const initial = sql<string>`substr(${sql.ref(text)}, 1, 1)`;
  const rows =
    conditions.length === 0
      ? await countedBy(engine.read, values, several)
          .select((is) => [
            sql.ref<string>(counted).as('initial'),
            is.fn.sum<number>('release.releases').as('releases'),
          ])
          .groupBy(sql.ref(counted))
          .orderBy(sql.ref(counted))
          .execute()
      : await countedRows(engine.longRead, found)
          .select((is) => [initial.as('initial'), is.fn.countAll<number>().as('releases')])
          .groupBy(initial)
          .orderBy(initial)
          .execute();
  let offset = 0;
  return rows.map((row) => {
    const at = offset;
    offset += row.releases;
    return { initial: row.initial, offset: at, releases: row.releases };
  });
}

/**
 * Counts all releases. The number is cached until the next import, because only imports add or
 * remove releases.
 */
export class ReleaseTotal {
  readonly #engine: Engine;
  #cached: { readonly version: number; readonly total: number } | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async read(): Promise<number> {
    const { read } = this.#engine;
    const now = await read
      .selectFrom('import_version')
      .select('number as version')
      .executeTakeFirstOrThrow();
    if (this.#cached?.version === now.version) return this.#cached.total;
    // Reads the version and the number in one statement, so that no import can end between two
    // reads.
    this.#cached = await read
      .selectFrom('import_version')
      .select('number as version')
      .select((from) =>
        from
          .selectFrom('listed_release')
          .select(read.fn.countAll<number>().as('count'))
          .$asScalar()
          .$notNull()
          .as('total'),
      )
      .executeTakeFirstOrThrow();
    return this.#cached.total;
  }
}
