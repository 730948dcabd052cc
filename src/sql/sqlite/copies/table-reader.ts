import { nextLimit } from '../../rows/next-limit.ts';
import type { PortableRow, RowColumn } from '../../rows/portable-row.ts';
import type { TableReader } from '../../rows/row-ports.ts';
import { keyWithin, type RowTable } from '../../rows/row-tables.ts';
import { isBoolean } from '../columns.ts';
import type { QueryReply } from '../threads/protocol.ts';

const BATCH_ROWS = { first: 50, max: 2_000 };

/** A function that runs one statement. */
type RunQuery = (sql: string, params: readonly unknown[]) => Promise<QueryReply>;

/**
 * Reads tables in pages, in the order of their keys. All pages show the same state only if all
 * queries of `runQuery` see the same state.
 */
export class SqliteTableReader implements TableReader {
  readonly #runQuery: RunQuery;

  constructor(runQuery: RunQuery) {
    this.#runQuery = runQuery;
  }

  async columns({ name }: RowTable): Promise<RowColumn[]> {
    const { rows } = await this.#runQuery(
      'SELECT name, lower(type) FROM pragma_table_info(?) ORDER BY name',
      [name],
    );
    return rows.map(([column, type]) => ({
      name: String(column),
      type: isBoolean(name, String(column)) ? 'boolean' : type === 'text' ? 'text' : 'integer',
    }));
  }

  async count({ name }: RowTable): Promise<number> {
    const { rows } = await this.#runQuery(`SELECT count(*) FROM "${name}"`, []);
    return Number(rows[0]?.[0]);
  }

  async lastId({ name }: RowTable): Promise<number> {
    const { rows } = await this.#runQuery('SELECT max(seq) FROM sqlite_sequence WHERE name = ?', [
      name,
    ]);
    return Number(rows[0]?.[0] ?? 0);
  }

  async *rows(table: RowTable, columns: readonly RowColumn[]): AsyncGenerator<PortableRow[]> {
    const { name } = table;
    const key = keyWithin(table, columns);
    const select = `SELECT ${columns.map((column) => `"${column.name}"`).join(', ')} FROM "${name}"`;
    if (key.length === 0) {
      yield (await this.#runQuery(select, [])).rows as PortableRow[];
      return;
    }
    const names = key.map((each) => `"${each}"`).join(', ');
    const places = key.map((each) => columns.findIndex((column) => column.name === each));
    const behind = ` WHERE (${names}) > (${key.map(() => '?').join(', ')})`;
    let limit = BATCH_ROWS.first;
    for (let last: PortableRow | undefined; ; ) {
      const after = last === undefined ? [] : places.map((place) => last?.[place]);
      const page = `${select}${after.length > 0 ? behind : ''} ORDER BY ${names} LIMIT ?`;
      const rows = (await this.#runQuery(page, [...after, limit])).rows as PortableRow[];
      if (rows.length > 0) yield rows;
      if (rows.length < limit) return;
      last = rows.at(-1);
      limit = Math.min(BATCH_ROWS.max, nextLimit(rows));
    }
  }
}
