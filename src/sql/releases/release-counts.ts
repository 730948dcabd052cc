import { type SqlBool, sql } from 'kysely';
import type { Initial, ReleaseFilter } from '../../core/releases/ports.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { hasRegion, ofPlatform } from './release-conditions.ts';
import {
  type ExactValues,
  exactValues,
  exhaustiveConditions,
  filteredBy,
  searchesOf,
} from './release-filter.ts';
import type { Trigrams } from './trigram-sample.ts';

/**
 * Returns a query for the rows of `release_count` that count the visible releases with these
 * values. The table has the alias `release`. The caller must sum up the column `releases`.
 */
export function countedBy(db: Database, { system, platformKey, region }: ExactValues) {
  // Many rows share few regions. The subquery compares each distinct region only once.
  const regions = sql`SELECT region FROM (SELECT DISTINCT region FROM release_count) AS release
    WHERE ${hasRegion(db, sql.val(region))}`;
  return db
    .selectFrom('release_count as release')
    .where('release.hidden', '=', false)
    .$if(system !== undefined, (query) => query.where('release.system', '=', system ?? ''))
    .$if(platformKey !== undefined, (query) => query.where(ofPlatform(sql.val(platformKey ?? ''))))
    .$if(region !== undefined, (query) =>
      query.where(sql<SqlBool>`release.region IN (${regions})`),
    );
}

/** Returns the number of releases that match a filter. */
export async function countFound(
  { read, longRead }: Pick<Engine, 'read' | 'longRead'>,
  filter: ReleaseFilter,
  trigrams: Trigrams,
): Promise<number> {
  const conditions = exhaustiveConditions(await searchesOf(longRead, filter, trigrams));
  const values = exactValues(filter);
  const { count } =
    conditions.length === 0
      ? await countedBy(read, values)
          .select((is) => is.fn.sum<number | null>('release.releases').as('count'))
          .executeTakeFirstOrThrow()
      : await filteredBy(longRead, 'listed', values, conditions)
          .select((is) => is.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
  return count ?? 0;
}

/**
 * Returns the first characters of the names of all releases that match a filter. Each character
 * includes the number of its releases, and the list offset of the first of these releases.
 */
export async function countInitials(
  { read, longRead }: Pick<Engine, 'read' | 'longRead'>,
  filter: ReleaseFilter,
  trigrams: Trigrams,
): Promise<Initial[]> {
  const conditions = exhaustiveConditions(await searchesOf(longRead, filter, trigrams));
  const values = exactValues(filter);
  const initial = sql<string>`substr(release.name, 1, 1)`;
  const rows =
    conditions.length === 0
      ? await countedBy(read, values)
          .select((is) => ['release.initial', is.fn.sum<number>('release.releases').as('releases')])
          .groupBy('release.initial')
          .orderBy('release.initial')
          .execute()
      : await filteredBy(longRead, 'listed', values, conditions)
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
