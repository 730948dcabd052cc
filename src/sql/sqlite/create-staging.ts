import { type RawBuilder, sql } from 'kysely';
import type { StagingColumn, StagingTable } from '../staging-table.ts';

const types: Readonly<Record<StagingColumn, string>> = {
  integer: 'INTEGER NOT NULL',
  'integer?': 'INTEGER',
  text: 'TEXT NOT NULL',
  'text?': 'TEXT',
  boolean: 'INTEGER NOT NULL',
  numbered: 'INTEGER NOT NULL',
};

/** TEMP tables of the writing connection, which lie in a file of their own and take no lock of the database. */
export function createStaging(
  tables: Readonly<Record<string, StagingTable>>,
): RawBuilder<unknown>[] {
  return Object.entries(tables).map(([name, table]) => createOne(name, table));
}

/** Without a condition, which drops the pages and reads no row. */
export function emptyStaging(names: readonly string[]): RawBuilder<unknown>[] {
  return names.map((name) => sql`DELETE FROM ${sql.table(name)}`);
}

function createOne(name: string, table: StagingTable): RawBuilder<unknown> {
  const { columns, key, unique } = table;
  const parts = Object.entries(columns).map(([column, type]) => {
    return sql`${sql.id(column)} ${sql.raw(types[type])}`;
  });
  parts.push(sql`PRIMARY KEY (${sql.join(key.map((column) => sql.id(column)))})`);
  if (unique !== undefined) parts.push(sql`UNIQUE (${sql.id(unique)})`);
  return sql`CREATE TEMP TABLE IF NOT EXISTS ${sql.id(name)} (${sql.join(parts)}) ${without(table)}`;
}

/** The key of one integer is SQLite's own number of the row, which it gives by itself; other keys replace that. */
function without({ columns, key }: StagingTable): RawBuilder<unknown> {
  const isNumber = key.every((column) => columns[column]?.match(/^(integer|numbered)$/));
  return key.length === 1 && isNumber ? sql`` : sql`WITHOUT ROWID`;
}
