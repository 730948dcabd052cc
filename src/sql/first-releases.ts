import { type Expression, type RawBuilder, sql } from 'kysely';
import type { ListOrder } from '../core/releases/ports.ts';
import type { Database } from './engine.ts';
import { byName } from './list-places.ts';
import { filteredExactly } from './release-filter.ts';
import { directions } from './release-forms.ts';

const nameStart = 'name_start';

/**
 * Returns the first releases of the list before any search, to be checked in order until enough
 * match. The rows include the column that shows PostgreSQL that they are already in order. Without
 * it, PostgreSQL would check all of them and sort the matches.
 */
export function firstReleasesOf(
  db: Database,
  { which, system, order, most, among }: FirstReleases,
) {
  const values = system === undefined ? {} : { system };
  const start = order === 'name' ? db.dialect.textStart(sql.ref('release.name')) : null;
  const { searchedColumn } = db.dialect;
  const first = filteredExactly(db, which, values, () => sql.val(system ?? ''), among)
    .select(['release.id', 'release.name'])
    .$if(searchedColumn !== null, (query) =>
      query.select(sql.ref(`release.${searchedColumn}`).as(searchedColumn ?? '')),
    )
    .$if(system !== undefined, (query) => query.select('release.system'));
  if (start !== null) {
    // Includes ties, which are all releases whose names begin like the last one's, as the index
    // returns them. The matches are put in order afterwards.
    return first.select(start.as(nameStart)).orderBy(start).fetch(most, 'with ties');
  }
  return first
    .$if(order === 'name', (query) => query.orderBy(byName(db)))
    .orderBy('release.id', directions[order])
    .limit(most);
}

interface FirstReleases {
  readonly which: 'listed' | 'all';
  readonly system: string | undefined;
  readonly order: ListOrder;
  readonly most: number;
  /** Limits the query to these rows. */
  readonly among?: Expression<unknown>;
}

/** Returns the column that `byNameOfFirst` sorts by, in a list; empty if it needs none. */
export function nameStartOf({ dialect }: Database) {
  const start = dialect.textStart(sql.ref('release.name'));
  return start === null ? [] : [start.as(nameStart)];
}

/** Returns `byName` for the rows of `firstReleasesOf`, aliased as `release`. */
export function byNameOfFirst({ dialect }: Database): RawBuilder<unknown> {
  const name = sql.ref('release.name');
  const start = dialect.textStart(name);
  return start === null ? name : sql`${sql.ref(`release.${nameStart}`)}, ${name}`;
}
