import type { Connection, Patience } from './sessions/connection.ts';
import { toArray } from './values.ts';

/**
 * A parsed INSERT of plain values. PostgreSQL inserts many such rows much faster in one statement.
 */
interface PlainInsert {
  readonly table: string;
  readonly columns: string;
  /** The ON CONFLICT clause after the values, or "". */
  readonly conflict: string;
  /**
   * The key columns, if a new row replaces all values of a row with the same key. Null if rows are
   * never replaced.
   */
  readonly replacedBy: string | null;
}

const insertPattern =
  /^INSERT INTO (?<table>[\w."]+) \((?<columns>[^()]+)\)\s+VALUES \(\?(?:, \?)*\)(?<conflict> ON CONFLICT .+)?$/;
const replacePattern = /^ ON CONFLICT \((?<key>.+)\) DO UPDATE SET (?<sets>[\w., =]+)$/;

/**
 * Parses a statement with a `?` for each parameter. Returns null if the statement is not a plain
 * INSERT.
 */
export function plainInsertOf(statement: string): PlainInsert | null {
  const { table = '', columns = '', conflict = '' } = insertPattern.exec(statement)?.groups ?? {};
  if (table === '') return null;
  if (conflict === '' || conflict === ' ON CONFLICT DO NOTHING') {
    return { table, columns, conflict, replacedBy: null };
  }
  const { key = '', sets } = replacePattern.exec(conflict)?.groups ?? {};
  const all = columns.split(', ').map((column) => `${column} = excluded.${column}`);
  if (sets !== all.join(', ')) return null;
  return { table, columns, conflict, replacedBy: key.replaceAll(/text_digest\((\w+)\)/g, '$1') };
}

/**
 * Inserts all rows with one statement and returns the number of changed rows. `types` are the types
 * of the columns.
 */
export async function insertTogether(
  connection: Connection,
  { table, columns, conflict, replacedBy }: PlainInsert,
  types: readonly string[],
  rows: readonly (readonly unknown[])[],
  patience: Patience,
): Promise<number> {
  const arrays = types.map((_, place) => toArray(rows.map((row) => row[place])));
  const listed = types.map((type, place) => `CAST($${place + 1} AS ${type}[])`).join(', ');
  const given =
    replacedBy === null
      ? `SELECT * FROM unnest(${listed}) AS given`
      : // A statement can change a row only once. Only the last row with each key is inserted.
        `SELECT DISTINCT ON (${replacedBy}) ${columns}
          FROM unnest(${listed}) WITH ORDINALITY AS given (${columns}, given_place)
          ORDER BY ${replacedBy}, given_place DESC`;
  const sql = `INSERT INTO ${table} (${columns}) ${given}${conflict}`;
  const { changes = 0 } = await connection.query(sql, arrays, patience);
  return replacedBy === null ? changes : rows.length;
}
