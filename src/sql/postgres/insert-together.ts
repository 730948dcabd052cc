import type { Connection, Patience } from './connection.ts';
import { toArray } from './values.ts';

/** An INSERT of plain values; PostgreSQL adds many such rows together in a fraction of the time. */
interface PlainInsert {
  readonly table: string;
  readonly columns: string;
  /** "" or the clause after the values. */
  readonly conflict: string;
  /**
   * The key columns by which a row replaces another one as a whole; null if rows are not replaced.
   */
  readonly replacedBy: string | null;
}

const insert =
  /^INSERT INTO (?<table>[\w."]+) \((?<columns>[^()]+)\)\s+VALUES \(\?(?:, \?)*\)(?<conflict> ON CONFLICT .+)?$/;
const replacing = /^ ON CONFLICT \((?<key>.+)\) DO UPDATE SET (?<sets>[\w., =]+)$/;

/** Parses a statement with a `?` for each parameter; returns null if it is not a plain INSERT. */
export function plainInsertOf(statement: string): PlainInsert | null {
  const { table = '', columns = '', conflict = '' } = insert.exec(statement)?.groups ?? {};
  if (table === '') return null;
  if (conflict === '' || conflict === ' ON CONFLICT DO NOTHING') {
    return { table, columns, conflict, replacedBy: null };
  }
  const { key = '', sets } = replacing.exec(conflict)?.groups ?? {};
  const all = columns.split(', ').map((column) => `${column} = excluded.${column}`);
  if (sets !== all.join(', ')) return null;
  return { table, columns, conflict, replacedBy: key.replaceAll(/text_digest\((\w+)\)/g, '$1') };
}

/**
 * Inserts rows by one statement and returns how many were changed. `types` are those of the
 * columns.
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
      : // One statement changes a row once: of rows that replace each other, the last one counts.
        `SELECT DISTINCT ON (${replacedBy}) ${columns}
          FROM unnest(${listed}) WITH ORDINALITY AS given (${columns}, given_place)
          ORDER BY ${replacedBy}, given_place DESC`;
  const sql = `INSERT INTO ${table} (${columns}) ${given}${conflict}`;
  const { changes = 0 } = await connection.query(sql, arrays, patience);
  return replacedBy === null ? changes : rows.length;
}
