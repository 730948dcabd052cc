import type { Connection, Patience } from './connection.ts';
import { toArray } from './values.ts';

/** Rows as they are, which PostgreSQL adds together in a fraction of the time. */
interface PlainInsert {
  readonly table: string;
  readonly columns: string;
  /** "" or the clause behind the values. */
  readonly conflict: string;
  /** The columns of the key by which a row takes the place of another one as a whole; null where none does. */
  readonly replacedBy: string | null;
}

const insert =
  /^INSERT INTO (?<table>[\w."]+) \((?<columns>[^()]+)\)\s+VALUES \(\?(?:, \?)*\)(?<conflict> ON CONFLICT .+)?$/;
const replacing = /^ ON CONFLICT \((?<key>.+)\) DO UPDATE SET (?<sets>[\w., =]+)$/;

/** What a statement with a `?` for each parameter adds; null where it is something else. */
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

/** Returns how many rows were changed. `types`: of the columns. */
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
      : // One statement changes a row once: of those that replace each other the last one counts.
        `SELECT DISTINCT ON (${replacedBy}) ${columns}
          FROM unnest(${listed}) WITH ORDINALITY AS given (${columns}, given_place)
          ORDER BY ${replacedBy}, given_place DESC`;
  const sql = `INSERT INTO ${table} (${columns}) ${given}${conflict}`;
  const { changes = 0 } = await connection.query(sql, arrays, patience);
  return replacedBy === null ? changes : rows.length;
}
