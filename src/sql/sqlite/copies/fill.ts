import { CompiledQuery, sql } from 'kysely';
import type { Database, Engine } from '../../engine/engine.ts';
import { insertOf } from '../../rows/insert-of.ts';
import type { PortableRow, RowColumn } from '../../rows/portable-row.ts';
import type { RowTarget } from '../../rows/row-ports.ts';
import type { RowTable } from '../../rows/row-tables.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/list.ts';
import { openSqlite } from '../open.ts';
import type { SqlValue } from '../threads/protocol.ts';
import { SqliteTableReader } from './table-reader.ts';

/** An index or trigger of the schema, and the statement that creates it. */
interface Part {
  readonly type: 'index' | 'trigger';
  readonly name: string;
  readonly sql: string;
}

/**
 * Creates a new database of the version `options.version`, empties the `tables`, and runs `work` to
 * fill them. All data is durable when the promise resolves. Nothing else may use the file until
 * then.
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
 * A new database that is being filled. The indexes and triggers are removed before the tables are
 * filled, and recreated afterwards. Rows are committed as they arrive, many in each transaction.
 */
class SqliteTarget implements RowTarget {
  readonly reader: SqliteTableReader;
  readonly #engine: Engine;
  readonly #parts: readonly Part[];

  static async begin(engine: Engine, tables: readonly RowTable[]): Promise<SqliteTarget> {
    const parts = await engine.write(async (trx) => {
      const taken = await dropParts(trx);
      // Empties the tables in reverse order, because a table refers only to earlier tables.
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
    this.reader = new SqliteTableReader((text, params) => runQuery(engine, text, params));
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

  /** Returns the names of the full-text indexes of the schema. */
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

async function dropParts(trx: Database): Promise<Part[]> {
  const { rows: parts } = await sql<Part>`SELECT type, name, sql FROM sqlite_schema
    WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid`.execute(trx);
  for (const { type, name } of parts) {
    await sql`DROP ${sql.raw(type)} ${sql.table(name)}`.execute(trx);
  }
  return parts;
}

/** Returns the names of the tables that exist. Older schema versions have fewer tables. */
async function tablesOf(trx: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema
    WHERE type = 'table'`.execute(trx);
  return new Set(rows.map(({ name }) => name));
}

async function runQuery(engine: Engine, text: string, params: readonly unknown[]) {
  const query = CompiledQuery.raw(text, [...params]);
  const { rows } = await engine.read.executeQuery<Record<string, SqlValue>>(query);
  return { columns: [], rows: rows.map((row) => Object.values(row)) };
}
