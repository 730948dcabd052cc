import { type Kysely, type SqlBool, sql } from 'kysely';
import type { ListedRelease, ReleaseFilter } from '../core/releases/ports.ts';
import { filtered } from './release-filter.ts';
import type { Tables } from './tables.ts';

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
  db: Kysely<Tables>,
  filter: ReleaseFilter,
  { limit, offset, after }: Page,
): Promise<ListedRelease[]> {
  let found = await filtered(db, filter);
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
  const rows = await db
    .selectFrom('listed_release as release')
    .leftJoin('platform', 'platform.id', 'release.platform_id')
    .select([...itemColumns, 'platform.name as platform'])
    .where('release.id', 'in', ids)
    .orderBy('release.name')
    .orderBy('release.id')
    .execute();
  return rows.map((row) => ({ ...row, platform: row.platform ?? '' }));
}

/** Everything from the offset on. One statement per batch: an open one would keep the write-ahead log from shrinking. */
export async function* readPages(
  db: Kysely<Tables>,
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
