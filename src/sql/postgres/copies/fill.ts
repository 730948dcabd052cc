import { insertOf } from '../../rows/insert-of.ts';
import type { PortableRow, RowColumn } from '../../rows/portable-row.ts';
import type { RowTarget } from '../../rows/row-ports.ts';
import type { RowTable } from '../../rows/row-tables.ts';
import { BulkStatements } from '../bulk.ts';
import type { Connection } from '../sessions/connection.ts';
import { PostgresTableReader, sequenceOf } from './table-reader.ts';

const STATEMENT_MS = 2 * 60 * 60_000;
const patience = () => ({ until: performance.now() + STATEMENT_MS });

/** Query for the indexes of the current schema, except those that belong to constraints. */
const indexes = `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
  ORDER BY indexrelid`;
const tableNames = `SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`;
const references = `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name,
    pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY oid`;
const triggered = `SELECT DISTINCT tgrelid::regclass::text AS "table" FROM pg_trigger
  JOIN pg_class ON pg_class.oid = tgrelid
  WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace`;

/**
 * Fills the tables of a schema, in the transaction of a session. Indexes, foreign keys and triggers
 * are removed before the tables are filled, and recreated afterwards.
 */
export class PostgresTarget implements RowTarget {
  readonly reader: PostgresTableReader;
  readonly #connection: Connection;
  readonly #bulks = new BulkStatements();
  readonly #after: readonly string[];
  readonly #tables: readonly RowTable[];

  /** Prepares the tables for filling. Empties the tables of `wanted` that exist in the schema. */
  static async begin(connection: Connection, wanted: readonly RowTable[]): Promise<PostgresTarget> {
    const there = (await rowsOf(connection, tableNames)).map(({ name }) => name);
    const tables = wanted.filter(({ name }) => there.includes(name));
    const before: string[] = [];
    const after: string[] = [];
    for (const { table, name, definition } of await rowsOf(connection, references)) {
      before.push(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
      after.push(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
    for (const { name, definition } of await rowsOf(connection, indexes)) {
      before.push(`DROP INDEX ${name}`);
      after.unshift(String(definition));
    }
    for (const { table } of await rowsOf(connection, triggered)) {
      before.push(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      after.push(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    }
    before.push(`TRUNCATE ${tables.map(({ name }) => `"${name}"`).join(', ')}`);
    for (const statement of before) await connection.run(statement, patience());
    return new PostgresTarget(connection, tables, after);
  }

  private constructor(
    connection: Connection,
    tables: readonly RowTable[],
    after: readonly string[],
  ) {
    this.#connection = connection;
    this.#tables = tables;
    this.#after = after;
    this.reader = new PostgresTableReader(connection);
  }

  async add(
    table: RowTable,
    columns: readonly RowColumn[],
    rows: readonly PortableRow[],
  ): Promise<void> {
    const insert = insertOf(table, columns);
    await this.#bulks.run(this.#connection, insert, rows, patience);
  }

  async finish(
    lastIds: ReadonlyMap<RowTable, number>,
    onStep: (done: number, total: number) => void,
  ): Promise<void> {
    for (const [done, statement] of this.#after.entries()) {
      onStep(done, this.#after.length);
      await this.#connection.run(statement, patience());
    }
    for (const [{ name }, lastId] of lastIds) await this.#setLast(name, lastId);
    const names = this.#tables.map(({ name }) => `"${name}"`).join(', ');
    // Collects statistics for the planner. Otherwise the first queries would run without
    // statistics.
    await this.#connection.run(`ANALYZE ${names}`, patience());
  }

  async #setLast(table: string, lastId: number): Promise<void> {
    const sequence = await sequenceOf(this.#connection, table);
    if (sequence === null) return;
    await this.#connection.query(
      `SELECT setval($1::regclass, last) FROM
        (SELECT greatest($2::bigint, (SELECT max(id) FROM "${table}")) AS last) AS ids WHERE last > 0`,
      [sequence, lastId],
      patience(),
    );
  }
}

async function rowsOf(connection: Connection, select: string) {
  return (await connection.query(select, [], patience())).rows;
}
