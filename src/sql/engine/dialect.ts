import type { Expression, RawBuilder, SqlBool } from 'kysely';
import type { IdMarks } from '../../core/shared/id-marks.ts';
import type { Tables } from '../tables.ts';
import type { StagingQueries, StagingTable } from './staging-table.ts';
import type { TransactionStates } from './transaction-states.ts';

/**
 * The SQL that differs between the engines. SQL that all engines understand is not part of the
 * dialect. Such SQL includes `ON CONFLICT DO NOTHING` and `DO UPDATE`, `IS DISTINCT FROM`,
 * `row_number()`, `true`, `false` and boolean columns.
 */
export interface Dialect {
  /**
   * Returns a subquery with one column `value` that contains these values. All values are sent in
   * one parameter. Use the subquery after `IN` or as the source of an INSERT. A list of numbers
   * needs the argument `type`, because an empty list does not show the type of its values.
   */
  list(values: readonly string[]): RawBuilder<unknown>;
  list(values: readonly number[], type: 'integer'): RawBuilder<unknown>;
  /**
   * Returns a JSON object from texts, numbers, nulls and JSON values. The result can be used as
   * text or inside another JSON value.
   */
  jsonObject(fields: Readonly<Record<string, Expression<unknown>>>): RawBuilder<string>;
  /** Returns a text encoded as a JSON string. */
  jsonText(text: Expression<unknown>): RawBuilder<string>;
  /** Returns all rows of a group as a JSON array (`[]` for no rows), ordered by `orderBy`. */
  jsonArray(item: Expression<unknown>, orderBy?: Expression<unknown>): RawBuilder<string>;
  /**
   * Returns a statement that inserts the rows of a query, except rows whose key a table already
   * has. No value of the query may be null. Use this statement instead of `ON CONFLICT DO NOTHING`
   * for many rows.
   */
  insertAbsent(into: RawBuilder<unknown>, query: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * Returns the texts of a group joined into one text, in the order of `orderBy`; null for an empty
   * group.
   */
  joinTexts(
    text: Expression<unknown>,
    separator: string,
    orderBy: Expression<unknown>,
  ): RawBuilder<string | null>;
  /** Like `joinTexts`, for texts from a subquery that already returns them in this order. */
  joinOrderedTexts(
    text: Expression<unknown>,
    separator: string,
    order: Expression<unknown>,
  ): RawBuilder<string | null>;
  /**
   * Returns the condition that a text matches a LIKE pattern. The pattern has no escape character.
   * The text is the name in `release`, or the text in `release_text`. ASCII letters match
   * case-insensitively.
   */
  matches(where: 'name' | 'text', pattern: string): RawBuilder<SqlBool>;
  /** Column of `release` that `matches` reads in addition to the name; null for none. */
  readonly searchedColumn: string | null;
  /** Returns the text with its ASCII letters in lower case; other characters are unchanged. */
  lower(text: Expression<unknown>): RawBuilder<string>;
  /** Returns the 1-based position of the first `part` in a text; 0 if the text lacks `part`. */
  position(text: Expression<unknown>, part: string | Expression<unknown>): RawBuilder<number>;
  /** Returns the condition that a text contains another text exactly. */
  contains(text: Expression<unknown>, part: string | Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns a query with one column `id`: the ids of the releases whose name or search text matches
   * a LIKE pattern. If the pattern contains three consecutive characters without a wildcard, a
   * trigram index makes the query fast.
   */
  searchHits(where: 'name' | 'text', pattern: string): RawBuilder<unknown>;
  /**
   * Returns true if the text index contains this trigram. Other trigrams cannot narrow a search.
   */
  isIndexedTrigram(trigram: string): boolean;
  /**
   * Returns a condition on rows of `release` or `release_text` that the text index answers. The
   * condition is true for every row whose name or search text matches all of these LIKE patterns.
   * If `isExact` is false, the condition may be true for other rows too. The index looks up only
   * the passed `trigrams` of the patterns. Common trigrams should not be passed, because they are
   * slow to look up and narrow the result less.
   *
   * `ids` is a query with one distinct column `id` that selects the same rows. `ids` is null unless
   * a join of `ids` with the releases is cheaper than the condition.
   */
  candidateCondition(
    where: 'name' | 'text',
    searched: { patterns: readonly string[]; trigrams: readonly string[] },
  ): {
    readonly condition: RawBuilder<SqlBool>;
    readonly isExact: boolean;
    readonly ids: RawBuilder<unknown> | null;
  };
  /**
   * Returns a query with one distinct column `id`: the ids of releases whose name or search text
   * may contain these one or two characters. Some of the releases may not contain the characters.
   * The query is fast for a rare text. Returns null if no index helps.
   */
  shortTextCandidates(where: 'name' | 'text', text: string): RawBuilder<unknown> | null;
  /**
   * Cost of reading one candidate row, expressed as a number of index entries that take equally
   * long to read. Null if looking up more trigrams always pays off.
   */
  readonly entriesPerRowRead: number | null;
  /**
   * Cost of finding one release by the text index and sorting it. The unit of the cost is the time
   * to check one release in list order. Null if index look-ups are cheap compared with sorting.
   */
  readonly checksPerHit: number | null;
  /**
   * Returns a query with the same rows that makes the planner find all rows first, before any other
   * step. Null if the engine does not need such a query.
   */
  materialized(query: Expression<unknown>): RawBuilder<unknown> | null;
  /** Returns the condition that an id is in a set of ids. */
  isMarked(id: Expression<number>, marks: IdMarks): RawBuilder<SqlBool>;
  /**
   * Returns a condition that is always true. The engine can end a timed-out `longRead`
   * statement when the statement evaluates this condition. `id` is an integer column of the row.
   */
  interruptionPoint(id: Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns the next free id of a table, as a scalar subquery. The id is higher than every id that
   * the table has assigned so far.
   */
  nextId(table: keyof Tables & string): RawBuilder<number>;
  /**
   * Returns the expressions that sort rows by a text that may be too long for an index entry. If
   * there are several expressions, they are separated by commas. The expressions can also be used
   * on both sides of a row comparison.
   */
  textOrder(text: Expression<unknown> | string, direction?: 'desc'): RawBuilder<unknown>;
  /**
   * Returns the expression that `textOrder` sorts by before it sorts by the text itself. Returns
   * null if there is no such expression.
   */
  textStart(text: Expression<unknown>): RawBuilder<unknown> | null;
  /**
   * True if an index on texts can return its columns without reading the rows of the table. A page
   * is then read faster in two steps: first the ids by the index, then the other columns.
   */
  readonly readsIndexAlone: boolean;
  /**
   * True if a statement must be planned again on each execution. A plan made for an unknown LIMIT
   * would read too many rows.
   */
  readonly plansByLimit: boolean;
  /**
   * Returns the condition that a text equals one of these values. The text may be too long for an
   * index entry.
   */
  isOneOf(text: Expression<unknown>, values: readonly string[]): RawBuilder<SqlBool>;
  /**
   * Returns the expression that unique keys store for a text column whose texts may be too long for
   * an index entry. Use the expression after `ON CONFLICT` instead of the column.
   */
  uniqueKey(column: string): string;
  /**
   * Returns the condition that two texts are equal. The first text must be a column that a unique
   * key stores as `uniqueKey`.
   */
  equalsKey(text: Expression<unknown>, other: Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Creates these staging tables if they do not exist. Only this process sees the tables. The
   * tables are dropped at the latest when the process ends. `db` is the handle of `Engine.stage`.
   */
  createStaging(db: StagingQueries, tables: Readonly<Record<string, StagingTable>>): Promise<void>;
  /**
   * Removes all rows of staging tables and restarts their numbering. `db` is the handle of
   * `Engine.stage`.
   */
  emptyStaging(db: StagingQueries, names: readonly string[]): Promise<void>;
  /**
   * Milliseconds since 1970 by the clock of the database, which is the same for all processes that
   * share the database.
   */
  readonly now: RawBuilder<number>;
  /**
   * An inner join whose left table should be read first. An engine whose planner follows the
   * written order reads the left table first; other engines may choose another order. Write the
   * join between two tables, followed by `ON`.
   */
  readonly joinInOrder: RawBuilder<unknown>;
  /**
   * A clause for the end of a SELECT inside write(). The clause locks the returned rows, so that no
   * other transaction changes them until this transaction ends. Empty if the engine runs only one
   * writing transaction at a time.
   */
  readonly lockRows: RawBuilder<unknown>;
  /**
   * Like `lockRows`, but several transactions may lock the same rows at once. The rows can be
   * changed only after all of these transactions have ended.
   */
  readonly shareRows: RawBuilder<unknown>;
  /**
   * Expressions that show later whether a transaction was committed, if its connection was lost
   * during the commit. Null if the outcome of every commit is known.
   */
  readonly transactions: TransactionStates | null;
}
