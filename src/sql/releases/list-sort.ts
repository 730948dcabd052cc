import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type ListOrder, type SortText, sortOf } from '../../core/releases/list-orders.ts';
import type { Database } from '../engine/engine.ts';

/**
 * The indexes that return the releases in each order. `names`: the two indexes on names, of all
 * releases and of each system. `titles`: the index on `sort_name`. `ids`: the primary key. Every
 * order needs an index. Without an index, each page would sort all releases.
 */
export const indexOf: Readonly<Record<ListOrder, 'names' | 'titles' | 'ids'>> = {
  name: 'names',
  newest: 'ids',
  title: 'titles',
};

/** The values of a release that determine its position in a list. */
export type Position = { readonly id: number; readonly name: string } & {
  readonly [text in SortText]?: string;
};

/** The parameters of a query that reads the releases after a position. */
export type PositionValues = { readonly id?: number } & {
  readonly [text in SortText as `after_${text}`]?: string;
};

/** Returns the values of the parameters for the releases after a position. */
export function positionValues(order: ListOrder, position: Position): PositionValues {
  const texts = sortOf(order).texts.map((text) => [`after_${text}`, position[text] ?? '']);
  return { ...Object.fromEntries(texts), id: position.id };
}

/**
 * Returns the columns of a `Position` except the id: the name, and the other texts of the order.
 */
export function positionTexts(order: ListOrder): SortText[] {
  return [...new Set<SortText>(['name', ...sortOf(order).texts])];
}

/**
 * Returns the condition that a release comes after a position in the list. `value` returns the SQL
 * of a value of the position.
 */
export function isAfter(
  { dialect }: Database,
  order: ListOrder,
  value: (name: keyof PositionValues) => RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  const { texts, ids } = sortOf(order);
  const id = value('id');
  if (texts.length === 0) {
    return ids === 'asc' ? sql`release.id > ${id}` : sql`release.id < ${id}`;
  }
  const place = texts.map((text) => dialect.textOrder(value(`after_${text}`)));
  const own = byTexts({ dialect }, order);
  return sql`(${sql.join([...own, sql`release.id`])}) > (${sql.join([...place, id])})`;
}

/**
 * Returns the SQL expressions for the text columns of a sort order. The id, which breaks ties, is
 * not included.
 */
export function byTexts({ dialect }: Pick<Database, 'dialect'>, order: ListOrder) {
  return plainTexts(order).map((text) => dialect.textOrder(text));
}

/** Returns the texts of an order as columns, to sort rows that no index returns in order. */
export function plainTexts(order: ListOrder): RawBuilder<unknown>[] {
  return sortOf(order).texts.map((text) => sql.ref(`release.${text}`));
}

/**
 * Returns the columns that `byTextsOfFirst` sorts by, for the SELECT list of a query. The list is
 * empty if the engine does not need such columns.
 */
export function textStarts({ dialect }: Database, order: ListOrder) {
  return sortOf(order).texts.flatMap((text) => {
    const start = dialect.textStart(sql.ref(`release.${text}`));
    return start === null ? [] : [start.as(startName(text))];
  });
}

/**
 * Like `byTexts`, for rows that include the columns of `textStarts`. The rows must have the alias
 * `release`.
 */
export function byTextsOfFirst({ dialect }: Database, order: ListOrder): RawBuilder<unknown>[] {
  return sortOf(order).texts.map((name) => {
    const text = sql.ref(`release.${name}`);
    const hasStart = dialect.textStart(text) !== null;
    return hasStart ? sql`${sql.ref(`release.${startName(name)}`)}, ${text}` : text;
  });
}

/**
 * Sorts a query for releases. `texts` are the expressions that sort by the texts of the order:
 * `byTexts`, or equivalent expressions for these rows.
 */
export function inListOrder<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  order: ListOrder,
  texts: readonly RawBuilder<unknown>[],
): SelectQueryBuilder<Tables, Table, Row> {
  const byText = texts.reduce((sorted, text) => sorted.orderBy(text), query);
  return byText.orderBy(sql.ref('release.id'), sortOf(order).ids);
}

function startName(text: SortText) {
  return `${text}_start` as const;
}
