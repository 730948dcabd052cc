import { CompiledQuery, sql } from 'kysely';
import type { Database, Engine } from '../engine.ts';
import { insertOf } from '../rows/insert-of.ts';
import type { PortableRow, RowColumn } from '../rows/portable-row.ts';
import type { RowTarget } from '../rows/row-ports.ts';
import type { RowTable } from '../rows/row-tables.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import { openSqlite } from './open.ts';
import type { SqlValue } from './protocol.ts';
import { SqliteTableReader } from './table-reader.ts';

/** A part of a schema that is recreated from its statement. */
interface Part {
  readonly type: 'index' | 'trigger';
  readonly name: string;
  readonly sql: string;
}

/**
 * Has `work` fill a new database of this version, whose `tables` are emptied first. All data is
 * safe on disk when the promise resolves. Until then the file must not be used by anything else.
 */
export async function fillFile<R>(
  file: string,
  options: { version: number; tables: readonly RowTable[] },
  work: (target: RowTarget) => Promise<R>,
): Promise<R> {
  const engine = await openSqlite(file, { create: true, readers: 1 });
  try {
    await migrate(engine, migrations.slice(0, options.version));
    return await work(await SqliteTarget.begin(engine, options.tables));
  } finally {
    await engine.close();
  }
}

/**
 * A new database without indexes and triggers while it is filled. Rows are committed as they
 * arrive, many per transaction.
 */
class SqliteTarget implements RowTarget {
  readonly reader: SqliteTableReader;
  readonly #engine: Engine;
  readonly #parts: readonly Part[];

  static async begin(engine: Engine, tables: readonly RowTable[]): Promise<SqliteTarget> {
    const parts = await engine.write(async (trx) => {
      const taken = await takeParts(trx);
      // Delete from tables that refer to others first.
      const there = await tablesOf(trx);
      for (const { name } of tables.toReversed()) {
        if (there.has(name)) await sql`DELETE FROM ${sql.table(name)}`.execute(trx);
      }
      return taken;
    });
    return new SqliteTarget(engine, parts);
  }

  private constructor(engine: Engine, parts: readonly Part[]) {
    this.#engine = engine;
    this.#parts = parts;
    this.reader = new SqliteTableReader((text, params) => ask(engine, text, params));
  }

  async add(
    table: RowTable,
    columns: readonly RowColumn[],
    rows: readonly PortableRow[],
  ): Promise<void> {
    const insert = insertOf(table, columns);
    await this.#engine.write((_trx, bulk) => bulk.run(insert, rows));
  }

  async finish(
    lastIds: ReadonlyMap<RowTable, number>,
    onStep: (done: number, total: number) => void,
  ): Promise<void> {
    const making = (type: Part['type']) => this.#parts.filter((part) => part.type === type);
    const rebuilding = (name: string) => `INSERT INTO "${name}" ("${name}") VALUES ('rebuild')`;
    const statements = [
      ...making('index').map((part) => part.sql),
      ...(await this.#searches()).map(rebuilding),
      ...making('trigger').map((part) => part.sql),
    ];
    for (const [done, statement] of statements.entries()) {
      onStep(done, statements.length);
      await this.#run(statement);
    }
    for (const [{ name }, lastId] of lastIds) {
      if (lastId > (await this.reader.lastId({ name, key: [] }))) await this.#setLast(name, lastId);
    }
  }

  async #run(statement: string): Promise<void> {
    await this.#engine.write((trx) => sql.raw(statement).execute(trx));
  }

  /** Returns the names of the full-text indexes. */
  async #searches(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'`.execute(this.#engine.read);
    return rows.map(({ name }) => name);
  }

  async #setLast(table: string, lastId: number): Promise<void> {
    await this.#engine.write(async (trx) => {
      await sql`DELETE FROM sqlite_sequence WHERE name = ${table}`.execute(trx);
      await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${lastId})`.execute(trx);
    });
  }
}

async function takeParts(trx: Database): Promise<Part[]> {
  const { rows: parts } = await sql<Part>`SELECT type, name, sql FROM sqlite_schema
    WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid`.execute(trx);
  for (const { type, name } of parts) {
    await sql`DROP ${sql.raw(type)} ${sql.table(name)}`.execute(trx);
  }
  return parts;
}

/** Returns the existing tables; older schema versions have fewer. */
async function tablesOf(trx: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema
    WHERE type = 'table'`.execute(trx);
  return new Set(rows.map(({ name }) => name));
}

async function ask(engine: Engine, text: string, params: readonly unknown[]) {
  const query = CompiledQuery.raw(text, [...params]);
  const { rows } = await engine.read.executeQuery<Record<string, SqlValue>>(query);
  return { columns: [], rows: rows.map((row) => Object.values(row)) };
}
