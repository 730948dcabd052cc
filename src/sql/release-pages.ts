import { type SqlBool, sql } from 'kysely';
import type { ListedRelease, ReleaseFilter } from '../core/releases/ports.ts';
import type { Database } from './engine.ts';
import { filtered } from './release-filter.ts';

/** Rows of one batch of a whole list. */
const batch = 500;

export const itemColumns = [
  'release.id',
  'release.system',
  'release.name',
  'release.region',
  'release.serial',
] as const;

/** A part of the list: so many, from the offset on, of those that come after `after`. */
interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly after?: { readonly name: string; readonly id: number };
}

/** Ordered by name, then id. */
export async function readPage(
  db: Database,
  filter: ReleaseFilter,
  page: Page,
): Promise<ListedRelease[]> {
  // Far into a long list it takes half the time not to look at each row whether it is hidden; that any are is rare.
  const rows = await readRows(db, filter, page, 'all');
  const listed = rows[0]?.isImporting ? await readRows(db, filter, page, 'listed') : rows;
  return listed.map(({ isImporting: _, ...row }) => ({ ...row, platform: row.platform ?? '' }));
}

async function readRows(
  db: Database,
  filter: ReleaseFilter,
  { limit, offset, after }: Page,
  which: 'all' | 'listed',
) {
  let found = await filtered(db, filter, which);
  if (after) {
    const isAfter = sql<SqlBool>`(release.name, release.id) > (${after.name}, ${after.id})`;
    found = found.where(isAfter);
  }
  // The page's ids first, from an index alone; its rows only then.
  const ids = found
    .select('release.id')
    .orderBy('release.name')
    .orderBy('release.id')
    .limit(limit)
    .offset(offset);
  return (
    db
      .selectFrom('release')
      .leftJoin('platform', 'platform.id', 'release.platform_id')
      .select([...itemColumns, 'platform.name as platform'])
      // In the same statement, so that no import begins in between.
      .select(sql<unknown>`EXISTS (SELECT 1 FROM unfinished_import)`.as('isImporting'))
      .where('release.id', 'in', ids)
      .orderBy('release.name')
      .orderBy('release.id')
      .execute()
  );
}

/** Everything from the offset on. One statement per batch: an open one would keep the write-ahead log from shrinking. */
export async function* readPages(
  db: Database,
  filter: ReleaseFilter,
  offset: number,
): AsyncGenerator<ListedRelease[]> {
  let page = await readPage(db, filter, { limit: batch, offset });
  for (let after = page.at(-1); after; after = page.at(-1)) {
    yield page;
    if (page.length < batch) return;
    page = await readPage(db, filter, { limit: batch, offset: 0, after });
  }
}
