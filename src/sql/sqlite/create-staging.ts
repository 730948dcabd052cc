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

/** A TEMP table of the writing connection, which lies in a file of its own and takes no lock of the database. */
export function createStaging(name: string, table: StagingTable): RawBuilder<unknown> {
  const { columns, key, unique } = table;
  const parts = Object.entries(columns).map(([column, type]) => {
    return sql`${sql.id(column)} ${sql.raw(types[type])}`;
  });
  parts.push(sql`PRIMARY KEY (${sql.join(key.map((column) => sql.id(column)))})`);
  if (unique !== undefined) parts.push(sql`UNIQUE (${sql.id(unique)})`);
  return sql`CREATE TEMP TABLE ${sql.id(name)} (${sql.join(parts)}) ${without(table)}`;
}

/** The key of one integer is SQLite's own number of the row, which it gives by itself; other keys replace that. */
function without({ columns, key }: StagingTable): RawBuilder<unknown> {
  const isNumber = key.every((column) => columns[column]?.match(/^(integer|numbered)$/));
  return key.length === 1 && isNumber ? sql`` : sql`WITHOUT ROWID`;
}
