import type Database from 'better-sqlite3';

// The database threads import this file. It must not import Kysely, because loading Kysely would
// slow down the start of every thread.

/**
 * A searched column. `id` is the column with the ids. `terms` is the virtual table that lists the
 * trigrams of the column's index.
 */
export interface SearchedColumn {
  readonly table: string;
  readonly column: string;
  readonly id: string;
  readonly terms: string;
}

export const searchedColumns: Readonly<Record<'name' | 'text', SearchedColumn>> = {
  name: { table: 'release', column: 'name', id: 'id', terms: 'release_name_terms' },
  text: { table: 'release_text', column: 'text', id: 'release_id', terms: 'release_search_terms' },
};

/**
 * Creates the virtual tables that list the entries of the trigram indexes. The tables exist only on
 * this connection.
 */
export function addTermTables(database: Database.Database): void {
  for (const [index, { terms }] of [
    ['release_name', searchedColumns.name],
    ['release_search', searchedColumns.text],
  ] as const) {
    database.exec(`CREATE VIRTUAL TABLE temp.${terms} USING fts5vocab(main, ${index}, instance)`);
  }
}
