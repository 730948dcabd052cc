import { type Expression, type RawBuilder, sql } from 'kysely';
import type { ListOrder } from '../../core/releases/ports.ts';
import type { Database } from '../engine/engine.ts';
import { byName } from './page-bookmarks.ts';
import { filteredExactly } from './release-filter.ts';
import { directions } from './release-forms.ts';

const nameStart = 'name_start';

/**
 * Returns the first releases of the list, before any search condition. The caller checks the
 * releases in order until enough of them match. The rows include the column `name_start`, which
 * shows PostgreSQL that the rows are already in order. Without this column, PostgreSQL would check
 * all rows and sort the matches.
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
    // Includes ties: all releases whose names begin with the same text as the last name. The index
    // does not order ties, so the caller sorts the matches afterwards.
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
  /** A query of releases. If `among` is set, only the rows of this query are read. */
  readonly among?: Expression<unknown>;
}

/**
 * Returns a list with the column that `byNameOfFirst` sorts by. The list is empty if the engine
 * does not need such a column.
 */
export function nameStartOf({ dialect }: Database) {
  const start = dialect.textStart(sql.ref('release.name'));
  return start === null ? [] : [start.as(nameStart)];
}

/**
 * Returns the order by name for the rows of `firstReleasesOf`, which must have the alias `release`.
 * The order is the same as that of `byName`.
 */
export function byNameOfFirst({ dialect }: Database): RawBuilder<unknown> {
  const name = sql.ref('release.name');
  const start = dialect.textStart(name);
  return start === null ? name : sql`${sql.ref(`release.${nameStart}`)}, ${name}`;
}
