import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';

/**
 * Returns a database as SQL that recreates the database: the schema, and the rows of each table in
 * sorted order.
 */
export function dumpDatabase(file: string): string {
  return reading(file, (database) => {
    const objects = schemaRows(database);
    const tables = tablesOf(database);
    const isTable = ({ type }: SchemaRow) => type === 'table';
    return [
      ...objects.filter(isTable).map(({ sql }) => sql),
      ...tables.flatMap((table) => rowsOf(database, table)),
      ...virtualTables(objects).map((name) => `INSERT INTO ${name} (${name}) VALUES ('rebuild')`),
      ...objects.filter((each) => !isTable(each)).map(({ sql }) => sql),
      '',
    ].join(';\n');
  });
}

/** Returns the statements of the schema, sorted by their text. */
export function schemaOf(file: string): string[] {
  return reading(file, (database) =>
    schemaRows(database)
      .map(({ sql }) => sql)
      .sort(),
  );
}

/** Creates a database file from a dump. */
export function restoreDatabase(file: string, dump: string): void {
  closeSync(openSync(file, 'wx', 0o600));
  const database = new Database(file);
  try {
    database.pragma('foreign_keys = off');
    database.pragma('synchronous = off');
    database.exec(`BEGIN; ${dump}; COMMIT`);
  } finally {
    database.close();
  }
}

/**
 * Returns the faults of a database, its search indexes and its references. Returns an empty array
 * if there are no faults.
 */
export function faultsOf(file: string): unknown[] {
  const database = new Database(file);
  try {
    const integrity = database.pragma('integrity_check', { simple: true });
    for (const name of virtualTables(schemaRows(database))) {
      database.exec(`INSERT INTO ${name} (${name}, rank) VALUES ('integrity-check', 1)`); // throws
    }
    return [integrity, ...(database.pragma('foreign_key_check') as unknown[])].filter(
      (each) => each !== 'ok',
    );
  } finally {
    database.close();
  }
}

interface SchemaRow {
  type: string;
  sql: string;
}

/**
 * Returns the schema in the order of creation, without the shadow tables of virtual tables. Each
 * object is one line.
 */
function schemaRows(database: Database.Database): SchemaRow[] {
  const rows = database
    .prepare<[], SchemaRow>(
      `SELECT type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid`,
    )
    .all();
  return rows.map(({ type, sql }) => ({ type, sql: sql.replace(/\s+/g, ' ').trim() }));
}

function virtualTables(objects: readonly SchemaRow[]): string[] {
  return objects.flatMap(({ sql }) => /^CREATE VIRTUAL TABLE (\w+)/.exec(sql)?.[1] ?? []);
}

function tablesOf(database: Database.Database): string[] {
  return database
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name <> 'sqlite_schema'
        ORDER BY name`,
    )
    .pluck()
    .all();
}

/** Returns the rows of a table. Generated columns are left out. */
function rowsOf(database: Database.Database, table: string): string[] {
  const columns = database
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck()
    .all(table)
    .map((name) => `"${name}"`);
  const rows = database
    .prepare<[], unknown[]>(
      `SELECT ${columns.join(', ')} FROM "${table}" ORDER BY ${columns.join(', ')}`,
    )
    .raw()
    .safeIntegers()
    .all();
  // SQLite creates this table with the first AUTOINCREMENT table. Inserted rows fill it.
  const clear = table === 'sqlite_sequence' ? [`DELETE FROM ${table}`] : [];
  if (rows.length === 0) return clear;
  const values = rows.map((row) => `(${row.map(literal).join(', ')})`).join(',\n');
  return [...clear, `INSERT INTO "${table}" (${columns.join(', ')}) VALUES\n${values}`];
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  // A text with control characters is written in hexadecimal, so that the file is plain text.
  if (/\p{Cc}/u.test(value)) return `CAST(X'${Buffer.from(value).toString('hex')}' AS TEXT)`;
  return `'${value.replaceAll("'", "''")}'`;
}

function reading<R>(file: string, read: (database: Database.Database) => R): R {
  const database = new Database(file, { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}
