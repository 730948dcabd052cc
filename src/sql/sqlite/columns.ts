import type Database from 'better-sqlite3';

/**
 * Columns whose values are booleans. SQLite stores booleans as 0 and 1. This list is needed,
 * because a STRICT table cannot declare a boolean column.
 */
const booleans: ReadonlySet<string> = new Set([
  'user.is_active',
  'source_row.is_shown',
  'source_row.gone',
  'release_meta.manual',
  'release_count.hidden',
  'import.has_facts',
  'job.stopping',
  'schedule.is_on',
  'upload.replaces',
  'login_try.failed',
  'orphan_object.is_going',
  'release_set.shared',
]);

export const isBoolean = (table: string, column: string) => booleans.has(`${table}.${column}`);

/** The columns of a result, in order. */
export interface Columns {
  readonly names: string[];
  /**
   * Positions of the result columns that come from a boolean column of a table, even through a view
   * or a subquery.
   */
  readonly booleans: readonly number[];
}

/** Returns the result columns of a statement. The statement must return rows. */
export function columnsOf(statement: Database.Statement<unknown[], unknown>): Columns {
  const columns = statement.columns();
  return {
    names: columns.map(({ name }) => name),
    booleans: columns.flatMap(({ table, column }, place) =>
      isBoolean(String(table), String(column)) ? [place] : [],
    ),
  };
}
