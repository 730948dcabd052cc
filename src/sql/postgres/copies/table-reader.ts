import type { PortableRow, PortableValue, RowColumn } from '../../rows/portable-row.ts';
import type { TableReader } from '../../rows/row-ports.ts';
import { keyWithin, type RowTable } from '../../rows/row-tables.ts';
import type { Connection, Reply } from '../sessions/connection.ts';

/**
 * Timeout for one batch of rows, in ms. Before the first batch, the server may have to sort the
 * table.
 */
const BATCH_MS = 30 * 60_000;

const types: Readonly<Record<string, RowColumn['type']>> = {
  text: 'text',
  boolean: 'boolean',
  bigint: 'integer',
  integer: 'integer',
};

/** Reads tables within the transaction of a session. */
export class PostgresTableReader implements TableReader {
  readonly #connection: Connection;
  readonly #explain: (error: unknown) => unknown;

  /**
   * `explain` translates an error of the session into the error to throw. By default the error is
   * unchanged.
   */
  constructor(connection: Connection, explain = (error: unknown) => error) {
    this.#connection = connection;
    this.#explain = explain;
  }

  /** Returns the columns of a table. Omits columns that the server generates from other columns. */
  async columns({ name }: RowTable): Promise<RowColumn[]> {
    const { rows } = await this.#query(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
        WHERE attrelid = to_regclass(quote_ident($1)) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        ORDER BY attname`,
      [name],
    );
    return rows.map(({ name: column, type }) => {
      const known = types[String(type)];
      if (known === undefined) throw new Error(`${name}.${column} is a ${type}`);
      return { name: String(column), type: known };
    });
  }

  async count({ name }: RowTable): Promise<number> {
    const { rows } = await this.#query(`SELECT count(*) AS count FROM "${name}"`);
    return Number(rows[0]?.count);
  }

  async lastId({ name }: RowTable): Promise<number> {
    const sequence = await this.#explainErrors(sequenceOf(this.#connection, name));
    if (sequence === null) return 0;
    const { rows } = await this.#query(
      `SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS last FROM ${sequence}`,
    );
    return Number(rows[0]?.last);
  }

  async *rows(table: RowTable, columns: readonly RowColumn[]): AsyncGenerator<PortableRow[]> {
    const { name } = table;
    const key = keyWithin(table, columns);
    const names = columns.map((column) => `"${column.name}"`).join(', ');
    const order = key.length === 0 ? '' : ` ORDER BY ${key.map((each) => `"${each}"`).join(', ')}`;
    const select = `SELECT ${names} FROM "${name}"${order}`;
    try {
      for await (const { rows } of this.#connection.stream(select, [], BATCH_MS)) {
        yield rows.map((row) => columns.map((column) => row[column.name] as PortableValue));
      }
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #query(sql: string, params: readonly unknown[] = []): Promise<Reply> {
    return this.#explainErrors(this.#connection.query(sql, params, batchLimits()));
  }

  async #explainErrors<R>(result: Promise<R>): Promise<R> {
    try {
      return await result;
    } catch (error) {
      throw this.#explain(error);
    }
  }
}

/**
 * Returns the name of the sequence that assigns the ids of a table, in a form for use in
 * statements. Returns null if the table has no such sequence.
 */
export async function sequenceOf(connection: Connection, table: string): Promise<string | null> {
  const { rows } = await connection.query(
    `SELECT pg_get_serial_sequence(quote_ident($1), 'id') AS sequence FROM pg_attribute
      WHERE attrelid = to_regclass(quote_ident($1)) AND attname = 'id' AND attidentity <> ''`,
    [table],
    batchLimits(),
  );
  return rows[0] === undefined ? null : String(rows[0].sequence);
}

/**
 * Returns the deadline for a statement that may count the rows of a table, or wait for a lock on
 * the table.
 */
const batchLimits = () => ({ until: performance.now() + BATCH_MS });
