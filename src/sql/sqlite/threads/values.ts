import type { Columns } from '../columns.ts';
import type { RawRow, SqlValue } from './protocol.ts';

/**
 * Returns parameters in the form that better-sqlite3 needs. better-sqlite3 binds every number as
 * REAL, which would store 5 as 5.0 in a column without a type. Integers are therefore converted to
 * bigints. Booleans become 0 and 1.
 */
export function toBound(params: readonly unknown[]): unknown[] {
  const bound = new Array<unknown>(params.length);
  for (let i = 0; i < params.length; i++) {
    const value = params[i];
    if (Number.isSafeInteger(value)) bound[i] = BigInt(value as number);
    else if (typeof value === 'boolean') bound[i] = value ? 1n : 0n;
    else bound[i] = value;
  }
  return bound;
}

/**
 * Converts the values of a row in place and returns the row. Bigints that fit into a number become
 * numbers. In boolean columns, 0 and 1 become booleans.
 */
export function toPlain(row: RawRow, { booleans }: Columns): RawRow {
  for (let i = 0; i < row.length; i++) {
    const value = row[i];
    if (typeof value !== 'bigint') continue;
    const asNumber = Number(value);
    if (Number.isSafeInteger(asNumber)) row[i] = asNumber;
  }
  for (const place of booleans) {
    if (row[place] !== null) row[place] = row[place] === 1;
  }
  return row;
}

/**
 * Returns parameters that can be sent to another thread. A view of a larger buffer is copied.
 * Otherwise the whole buffer would be sent.
 */
export function toSent(params: readonly unknown[]): readonly unknown[] {
  if (!params.some((value) => value instanceof Uint8Array)) return params;
  return params.map((value) => (value instanceof Uint8Array ? new Uint8Array(value) : value));
}

/** Returns each row as an object with one property per column. */
export function toObjects(columns: string[], rows: RawRow[]): Record<string, SqlValue>[] {
  return rows.map((row) => {
    const object: Record<string, SqlValue> = {};
    for (let i = 0; i < columns.length; i++) object[columns[i] as string] = row[i] as SqlValue;
    return object;
  });
}
