import { type Expression, type RawBuilder, sql } from 'kysely';
import type { ListOrder } from '../core/releases/ports.ts';
import type { Database } from './engine.ts';
import { byName } from './list-places.ts';
import { filteredExactly } from './release-filter.ts';
import { directions } from './release-forms.ts';

const nameStart = 'name_start';

/**
 * The first releases of the list, whatever they hold, to be looked at in their order until enough are found. They bring
 * along what tells PostgreSQL that they are in order already: else it looks at all of them and sorts what it found.
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
    // With all that begin as the last does, as the index gives them: those that are found are put in order then.
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
  /** Of these rows only. */
  readonly among?: Expression<unknown>;
}

/** The column that `byNameOfFirst` asks for; none where it asks for none. */
export function nameStartOf({ dialect }: Database) {
  const start = dialect.textStart(sql.ref('release.name'));
  return start === null ? [] : [start.as(nameStart)];
}

/** `byName` of those rows, where they are called `release`. */
export function byNameOfFirst({ dialect }: Database): RawBuilder<unknown> {
  const name = sql.ref('release.name');
  const start = dialect.textStart(name);
  return start === null ? name : sql`${sql.ref(`release.${nameStart}`)}, ${name}`;
}
