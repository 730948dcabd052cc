import { type RawBuilder, sql } from 'kysely';
import type { StagingColumn, StagingQueries, StagingTable } from '../engine/staging-table.ts';

const types: Readonly<Record<StagingColumn, string>> = {
  integer: 'INTEGER NOT NULL',
  'integer?': 'INTEGER',
  text: 'TEXT NOT NULL',
  'text?': 'TEXT',
  boolean: 'INTEGER NOT NULL',
  numbered: 'INTEGER NOT NULL',
};

/**
 * Creates staging tables as TEMP tables of the writing connection, unless they exist. TEMP tables
 * are in a separate file, so writing to them does not lock the database.
 */
export async function createStaging(
  db: StagingQueries,
  tables: Readonly<Record<string, StagingTable>>,
): Promise<void> {
  await db.runAll(Object.entries(tables).map(([name, table]) => createOne(name, table)));
}

/**
 * Empties staging tables by DELETE statements without a condition. For such a statement, SQLite
 * frees the pages of a table without reading its rows.
 */
export async function emptyStaging(db: StagingQueries, names: readonly string[]): Promise<void> {
  await db.runAll(names.map((name) => sql`DELETE FROM ${sql.table(name)}`));
}

function createOne(name: string, table: StagingTable): RawBuilder<unknown> {
  const { columns, key, unique } = table;
  const parts = Object.entries(columns).map(([column, type]) => {
    return sql`${sql.id(column)} ${sql.raw(types[type])}`;
  });
  parts.push(sql`PRIMARY KEY (${sql.join(key.map((column) => sql.id(column)))})`);
  if (unique !== undefined) parts.push(sql`UNIQUE (${sql.id(unique)})`);
  return sql`CREATE TEMP TABLE IF NOT EXISTS ${sql.id(name)} (${sql.join(parts)}) ${tableOptions(table)}`;
}

/**
 * Returns the end of a CREATE statement. A key of one integer column becomes SQLite's row id, which
 * is assigned automatically. A table with another key has no row id.
 */
function tableOptions({ columns, key }: StagingTable): RawBuilder<unknown> {
  const isNumber = key.every((column) => columns[column]?.match(/^(integer|numbered)$/));
  return key.length === 1 && isNumber ? sql`` : sql`WITHOUT ROWID`;
}
