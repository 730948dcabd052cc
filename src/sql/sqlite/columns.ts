import type Database from 'better-sqlite3';

/**
 * Columns that hold booleans. SQLite stores these as 0 and 1, and a STRICT table cannot declare
 * them.
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
]);

export const isBoolean = (table: string, column: string) => booleans.has(`${table}.${column}`);

/** The result columns of a statement, in order. */
export interface Columns {
  readonly names: string[];
  /** Positions of the columns that come from a boolean one, also through a view or a subquery. */
  readonly booleans: readonly number[];
}

/** Returns the columns of a statement that returns rows. */
export function columnsOf(statement: Database.Statement<unknown[], unknown>): Columns {
  const columns = statement.columns();
  return {
    names: columns.map(({ name }) => name),
    booleans: columns.flatMap(({ table, column }, place) =>
      isBoolean(String(table), String(column)) ? [place] : [],
    ),
  };
}
