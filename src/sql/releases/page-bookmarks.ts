import { type SqlBool, sql } from 'kysely';
import { type ListOrder, sortOf } from '../../core/releases/list-orders.ts';
import { withoutClient } from '../../core/shared/requests/client-context.ts';
import type { Database, Engine } from '../engine/engine.ts';
import {
  byTexts,
  inListOrder,
  isAfter,
  type Position,
  positionTexts,
  positionValues,
} from './list-sort.ts';
import { countedBy } from './release-counts.ts';
import { type ExactValues, filteredExactly } from './release-filter.ts';

/**
 * Minimum distance between two cached places of a list, as a number of releases. The distance is
 * larger in a long list, so that at most `maxPerList` places are cached for one list.
 */
const minStep = 100;
const maxPerList = 10_000;
/** Maximum number of cached places of all lists together. */
const maxBookmarks = 40_000;
/**
 * Number of releases that one query reads to find places. A limit is needed because other reads of
 * whole tables wait for the query.
 */
const releasesPerQuery = 10_000;
/** Lists with fewer releases get no places, because their pages are fast without places. */
const minListLength = 1_000;

/** A list of releases, identified by its filter and order. */
export interface BookmarkedList {
  readonly values: ExactValues;
  readonly order: ListOrder;
}

/**
 * A place in a list. `after` is the position of the release directly before the release at
 * `offset`. A place is valid only at one revision of the catalogue.
 */
interface Bookmark {
  readonly offset: number;
  readonly after: Position;
}

interface ListBookmarks {
  readonly revision: number;
  /** Number of releases between two places. */
  readonly step: number;
  readonly found: Bookmark[];
}

/**
 * Caches places at regular distances in lists. A page far into a list is then read from the nearest
 * place, without counting all releases before the page. A place is valid only at the revision at
 * which it was found. The query of the page must therefore include `isOfRevision`.
 */
export class PageBookmarks {
  readonly #engine: Pick<Engine, 'read' | 'longRead'>;
  /** The cached places of each list. The most recently used list is the last entry. */
  readonly #lists = new Map<string, ListBookmarks>();
  #finding: Promise<void> | undefined;

  constructor(engine: Pick<Engine, 'read' | 'longRead'>) {
    this.#engine = engine;
  }

  /** Returns the nearest cached place at or before an offset, or undefined if there is none. */
  find(list: BookmarkedList, offset: number): (Bookmark & { revision: number }) | undefined {
    const key = JSON.stringify(list);
    const bookmarks = this.#lists.get(key);
    if (bookmarks === undefined) return undefined;
    this.#lists.delete(key);
    this.#lists.set(key, bookmarks);
    const { step, found, revision } = bookmarks;
    const bookmark = found[Math.min(Math.floor(offset / step), found.length) - 1];
    return bookmark && { ...bookmark, revision };
  }

  /**
   * Finds the places of a list in the background, unless the cached places are of the current
   * revision. Reads the list in pieces, and only one list at a time. Ends early if the revision
   * changes.
   */
  renew(list: BookmarkedList): void {
    this.#finding ??= withoutClient(() => this.#findAll(list))
      .catch(() => undefined) // the next request for a page tries again
      .finally(() => {
        this.#finding = undefined;
      });
  }

  /** Resolves when no search for places is running. */
  async whenIdle(): Promise<void> {
    await this.#finding;
  }

  async #findAll(list: BookmarkedList): Promise<void> {
    const key = JSON.stringify(list);
    const { revision, releases } = await countAt(this.#engine.read, list.values);
    if (this.#lists.get(key)?.revision === revision) return;
    this.#lists.delete(key);
    if (releases < minListLength) return;
    const step = Math.max(minStep, Math.ceil(releases / maxPerList));
    const bookmarks: ListBookmarks = { revision, step, found: [] };
    this.#lists.set(key, bookmarks);
    for (let last: Bookmark | undefined; ; last = bookmarks.found.at(-1)) {
      const found = await findBookmarks(this.#engine.longRead, list, bookmarks, last);
      // The places found so far can be used before the search ends.
      bookmarks.found.push(...found);
      this.#evict();
      if (found.length < bookmarksPerQuery(step) || this.#lists.get(key) !== bookmarks) return;
    }
  }

  #evict(): void {
    let all = 0;
    for (const { found } of this.#lists.values()) all += found.length;
    for (const [key, { found }] of this.#lists) {
      if (all <= maxBookmarks) return;
      this.#lists.delete(key);
      all -= found.length;
    }
  }
}

/**
 * Returns the condition that the catalogue is at this revision. The condition is evaluated in the
 * same snapshot as the rest of the statement.
 */
export function isOfRevision(revision: unknown) {
  return sql<SqlBool>`(SELECT number FROM part_revision WHERE part = 'catalogue') = ${revision}`;
}

async function countAt(db: Database, values: ExactValues) {
  const { walkedSystem, ...others } = values;
  const counted = walkedSystem === undefined ? values : { ...others, system: walkedSystem };
  const { revision, releases } = await db
    .selectFrom('part_revision')
    .select('number as revision')
    .select(
      countedBy(db, counted)
        .select((is) => is.fn.sum<number | null>('release.releases').as('sum'))
        .as('releases'),
    )
    .where('part', '=', 'catalogue')
    .executeTakeFirstOrThrow();
  return { revision, releases: releases ?? 0 };
}

function bookmarksPerQuery(step: number): number {
  return Math.max(1, Math.floor(releasesPerQuery / step));
}

/**
 * Returns the places within the next piece of a list, which begins after `last`. Returns an empty
 * array if the revision has changed.
 */
async function findBookmarks(
  db: Database,
  { values, order }: BookmarkedList,
  { revision, step }: ListBookmarks,
  last: Bookmark | undefined,
): Promise<Bookmark[]> {
  const { texts, ids } = sortOf(order);
  const read = positionTexts(order);
  const after = last && positionValues(order, last.after);
  const found = filteredExactly(db, 'listed', values, (name) => sql.val(values[name] ?? ''))
    .where(isOfRevision(revision))
    .$if(after !== undefined, (query) =>
      query.where(isAfter(db, order, (name) => sql`${after?.[name]}`)),
    )
    .select([...read.map((text) => `release.${text}` as const), 'release.id']);
  const next = inListOrder(found, order, byTexts(db, order)).limit(bookmarksPerQuery(step) * step);
  const numbered = db
    .selectFrom(next.as('next'))
    .select([...read.map((text) => `next.${text}` as const), 'next.id'])
    .select((is) =>
      is.fn
        .agg<number>('row_number')
        .over((over) =>
          texts.reduce((by, text) => by.orderBy(`next.${text}`), over).orderBy('next.id', ids),
        )
        .as('number'),
    );
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .selectAll()
    .where(sql<SqlBool>`number % ${sql.lit(step)} = 0`)
    .orderBy('number')
    .execute();
  const before = last?.offset ?? 0;
  return rows.map(({ number, ...after }) => ({ after, offset: before + number }));
}
