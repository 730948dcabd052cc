import { type Compilable, type InferResult, type SelectQueryBuilder, sql } from 'kysely';
import type { ListOrder } from '../../core/releases/list-orders.ts';
import type { ReleaseLayout } from '../../core/releases/release-layout.ts';
import type { Database } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';
import { inListOrder, plainTexts, positionTexts } from './list-sort.ts';

export const itemColumns = [
  'release.id',
  'release.system',
  'release.name',
  'release.region',
  'release.serial',
] as const;

/** A query for the releases of one page, in list order. No columns are selected yet. */
export interface FoundPage {
  readonly releases: SelectQueryBuilder<{ release: Tables['listed_release'] }, 'release', object>;
  readonly order: ListOrder;
  /**
   * True if the query may select all columns of a release. Otherwise the query may select only
   * `id`.
   */
  readonly hasAllColumns: boolean;
}

/**
 * A form in which a page of the list is read: as one row per release, or as text. In each row,
 * `isImporting` also states whether an import is unfinished.
 */
export interface Form<Row extends { isImporting: unknown }> {
  /**
   * Key under which the compiled query is cached. Forms with different queries need different keys.
   */
  readonly key: string;
  query(db: Database, page: FoundPage): Compilable<Row>;
  /** Returns the number of releases in these rows. */
  count(rows: readonly Row[]): number;
}

/**
 * True while an import is unfinished. The value is selected in the same statement as the page, so
 * that no import can begin between two reads.
 */
const isImporting = sql<unknown>`EXISTS (SELECT 1 FROM unfinished_import)`.as('isImporting');

/** The form with one row per release. */
export const rowForm: Form<ListedRow> = {
  key: 'rows',
  query: rowsOf,
  count: (rows) => rows.length,
};

export type ListedRow = InferResult<ReturnType<typeof rowsOf>>[number];

function rowsOf(db: Database, page: FoundPage) {
  const { order } = page;
  const rows = wholeRows(db, page)
    .leftJoin('platform', 'platform.id', 'release.platform_id')
    .select([...itemColumns, 'platform.name as platform'])
    .select(isImporting);
  return inListOrder(rows, order, plainTexts(order));
}

/**
 * Returns a query for the releases of a page with all the columns that are shown, in no particular
 * order.
 */
function wholeRows(db: Database, { releases, order, hasAllColumns }: FoundPage) {
  const isReadAtOnce = hasAllColumns && !db.dialect.readsIndexAlone;
  const texts = positionTexts(order).map((text) => `release.${text}` as const);
  const columns = [...new Set([...itemColumns, ...texts, 'release.platform_id' as const])];
  const whole = sql`(${releases.select(columns)})`;
  const table = isReadAtOnce ? whole : sql.table('release');
  return db
    .selectFrom(sql<Tables['listed_release']>`${table}`.as('release'))
    .$if(!isReadAtOnce, (query) => query.where('release.id', 'in', releases.select('release.id')));
}

/** A row that contains all releases of a page. */
export interface TextRow {
  /** The releases as text, separated by commas; null if there are none. */
  readonly text: string | null;
  readonly releases: number;
  /** The name of the last release. */
  readonly name: string | null;
  /** The ids of the releases, separated by commas. */
  readonly ids: string | null;
  readonly isImporting: unknown;
}

/**
 * Returns the form that reads a page, sorted by name, as one text. This form avoids row objects
 * that would be created only to be serialized.
 */
export function textForm(layout: ReleaseLayout): Form<TextRow> {
  return {
    key: `text ${JSON.stringify(layout)}`,
    query: (db, page) => textOf(db, page, layout),
    count: (rows) => rows[0]?.releases ?? 0,
  };
}

function textOf(db: Database, { releases, hasAllColumns }: FoundPage, layout: ReleaseLayout) {
  const whole = hasAllColumns
    ? releases
    : db
        .selectFrom('release')
        .where('release.id', 'in', releases.select('release.id'))
        .orderBy('release.name')
        .orderBy('release.id');
  const page = whole.select(['release.id', 'release.name', releaseText(db, layout).as('text')]);
  const { dialect } = db;
  const order = sql`name, id`;
  return db
    .selectFrom(page.as('page'))
    .select([
      dialect.joinOrderedTexts(sql.ref('text'), ',', order).as('text'),
      dialect.joinOrderedTexts(sql`CAST(id AS text)`, ',', order).as('ids'),
      sql<number>`count(*)`.as('releases'),
      sql<string | null>`max(name)`.as('name'),
      isImporting,
    ]);
}

function releaseText({ dialect }: Database, { texts, fields }: ReleaseLayout) {
  const parts = texts.flatMap((text, place) => {
    const field = fields[place];
    if (field === undefined) return [sql.lit(text)];
    const value = sql.ref(`release.${field}`);
    return [sql.lit(text), field === 'id' ? value : dialect.jsonText(value)];
  });
  return sql<string>`${sql.join(parts, sql` || `)}`;
}
