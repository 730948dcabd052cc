import { type Compilable, type Expression, type InferResult, sql } from 'kysely';
import type { ListOrder, ReleaseLayout } from '../core/releases/ports.ts';
import type { Database } from './engine.ts';

export const itemColumns = [
  'release.id',
  'release.system',
  'release.name',
  'release.region',
  'release.serial',
] as const;

/** Of the ids. */
export const directions = { name: 'asc', newest: 'desc' } as const;

/** In what form a page of the list is read. Every row tells in `isImporting` whether an import is unfinished. */
export interface Form<Row extends { isImporting: unknown }> {
  /** Another text for another query. */
  readonly key: string;
  query(db: Database, ids: Expression<unknown>, order: ListOrder): Compilable<Row>;
  /** How many releases these rows are. */
  count(rows: readonly Row[]): number;
}

/** Told in the statement of the page, so that no import begins in between. */
const isImporting = sql<unknown>`EXISTS (SELECT 1 FROM unfinished_import)`.as('isImporting');

/** A row for each release. */
export const asRows: Form<ListedRow> = {
  key: 'rows',
  query: rowsOf,
  count: (rows) => rows.length,
};

export type ListedRow = InferResult<ReturnType<typeof rowsOf>>[number];

function rowsOf(db: Database, ids: Expression<unknown>, order: ListOrder) {
  return db
    .selectFrom('release')
    .leftJoin('platform', 'platform.id', 'release.platform_id')
    .select([...itemColumns, 'platform.name as platform'])
    .select(isImporting)
    .where(sql<boolean>`release.id IN ${ids}`)
    .$if(order === 'name', (query) => query.orderBy('release.name'))
    .orderBy('release.id', directions[order]);
}

/** One row for all releases of a page. */
export interface WrittenRow {
  /** With commas between the releases; null of none. */
  readonly text: string | null;
  readonly releases: number;
  /** Of the last release. */
  readonly name: string | null;
  readonly id: number | null;
  readonly isImporting: unknown;
}

/** The page as one text, by name: objects made of its rows would be made text of again. */
export function asText(layout: ReleaseLayout): Form<WrittenRow> {
  return {
    key: `text ${JSON.stringify(layout)}`,
    query: (db, ids) => textOf(db, ids, layout),
    count: (rows) => rows[0]?.releases ?? 0,
  };
}

function textOf(db: Database, ids: Expression<unknown>, { texts, fields }: ReleaseLayout) {
  const [first = '', ...others] = texts;
  const parts = others.flatMap((text, place) => {
    const field = fields[place] ?? 'id';
    const value = sql.ref(field);
    return [field === 'id' ? value : db.dialect.jsonText(value), sql.lit(text)];
  });
  const written = sql`${sql.join([sql.lit(first), ...parts], sql` || `)}`;
  return db
    .with('page', (from) =>
      from
        .selectFrom('release')
        .select([...itemColumns])
        .where(sql<boolean>`release.id IN ${ids}`),
    )
    .with('last', (from) =>
      from
        .selectFrom('page')
        .select(['name', 'id'])
        .orderBy('name', 'desc')
        .orderBy('id', 'desc')
        .limit(1),
    )
    .selectFrom('page')
    .select([
      db.dialect.joined(written, ',', sql`name, id`).as('text'),
      sql<number>`count(*)`.as('releases'),
      sql<string | null>`(SELECT name FROM last)`.as('name'),
      sql<number | null>`(SELECT id FROM last)`.as('id'),
      isImporting,
    ]);
}
