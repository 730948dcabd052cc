import type { RowColumn } from './portable-row.ts';
import type { RowTable } from './row-tables.ts';

/** Returns the statement that inserts a row with these columns. */
export function insertOf({ name }: RowTable, columns: readonly RowColumn[]): string {
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const places = columns.map(() => '?').join(', ');
  return `INSERT INTO "${name}" (${names}) VALUES (${places})`;
}
