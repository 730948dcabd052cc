import { type Expression, sql } from 'kysely';
import { type ListOrder, sortOf } from '../../core/releases/list-orders.ts';
import type { Database } from '../engine/engine.ts';
import { byTexts, inListOrder, positionTexts, textStarts } from './list-sort.ts';
import { filteredExactly } from './release-filter.ts';

/**
 * Returns the first releases of the list, before any search condition. The caller checks the
 * releases in order until enough of them match. The rows include the columns of `textStarts`, which
 * show PostgreSQL that the rows are already in order. Without these columns, PostgreSQL would check
 * all rows and sort the matches.
 */
export function firstReleasesOf(
  db: Database,
  { which, system, order, maxReleases, among }: FirstReleases,
) {
  const values = system === undefined ? {} : { system };
  const { searchedColumn } = db.dialect;
  const first = filteredExactly(db, which, values, () => sql.val(system ?? ''), among)
    .select(['release.id', ...positionTexts(order).map((text) => `release.${text}` as const)])
    .$if(searchedColumn !== null, (query) =>
      query.select(sql.ref(`release.${searchedColumn}`).as(searchedColumn ?? '')),
    )
    .$if(system !== undefined, (query) => query.select('release.system'));
  const [text] = sortOf(order).texts;
  const start = text === undefined ? null : db.dialect.textStart(sql.ref(`release.${text}`));
  const started = first.select(textStarts(db, order));
  if (start !== null) {
    // Includes ties: all releases whose texts begin like the text of the last release. The index
    // does not order ties, so the caller sorts the matches afterwards.
    return started.orderBy(start).fetch(maxReleases, 'with ties');
  }
  return inListOrder(started, order, byTexts(db, order)).limit(maxReleases);
}

interface FirstReleases {
  readonly which: 'listed' | 'all';
  readonly system: string | undefined;
  readonly order: ListOrder;
  readonly maxReleases: number;
  /** A query of releases. If `among` is set, only the rows of this query are read. */
  readonly among?: Expression<unknown>;
}
