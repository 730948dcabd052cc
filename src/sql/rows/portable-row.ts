import { hash } from 'node:crypto';

/**
 * A value of a portable row. Integers within +-(2^53-1) are numbers, other integers are bigints.
 */
export type PortableValue = string | number | bigint | boolean | null;

/**
 * A table row in the form that every engine can read and write. The values are in the order of the
 * column names.
 */
export type PortableRow = readonly PortableValue[];

export interface RowColumn {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'boolean';
}

/**
 * Returns a row as a line of JSON without a line end. The line is an array. In the array, integers
 * beyond +-(2^53-1) are strings of digits.
 */
export function lineOf(row: PortableRow): string {
  return JSON.stringify(row.map((value) => (typeof value === 'bigint' ? String(value) : value)));
}

/** Parses a line that `lineOf` wrote. Returns null if the line does not fit the columns. */
export function rowOf(line: string, columns: readonly RowColumn[]): PortableRow | null {
  const values = arrayOf(line);
  if (values?.length !== columns.length) return null;
  const row: PortableValue[] = [];
  for (const [place, { type }] of columns.entries()) {
    const value = portableValue(values[place], type);
    if (value === undefined) return null;
    row.push(value);
  }
  return row;
}

function arrayOf(line: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function portableValue(value: unknown, type: RowColumn['type']): PortableValue | undefined {
  if (value === null) return null;
  if (type === 'text') return typeof value === 'string' ? value : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (Number.isSafeInteger(value)) return value as number;
  return typeof value === 'string' && /^-?\d{16,19}$/.test(value) ? BigInt(value) : undefined;
}

/**
 * A digest of the rows of a table that does not depend on the order of the rows. The digest
 * consists of the number of rows and the sum of the SHA-256 hashes of the rows.
 */
export class RowSum {
  count = 0;
  /** The sum of the SHA-256 hashes as eight 32-bit words. Each word is added up separately. */
  readonly #words = new Uint32Array(8);

  add(row: PortableRow): void {
    this.count += 1;
    const digest = hash('sha256', lineOf(row), 'buffer');
    for (let word = 0; word < 8; word++) {
      this.#words[word] = (this.#words[word] ?? 0) + digest.readUInt32LE(word * 4);
    }
  }

  equals(other: RowSum): boolean {
    return this.count === other.count && this.#words.every((word, i) => word === other.#words[i]);
  }
}
