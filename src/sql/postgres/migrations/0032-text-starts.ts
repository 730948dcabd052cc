import { startLength } from './0028/texts.ts';

/**
 * The SQL before and after a text, for an expression that returns the first characters of the text.
 * The indexes use the same expression. The cast returns the same characters as `left`. The cast is
 * faster, because it does not copy a short text.
 */
export const startCast = ['CAST(', ` AS varchar(${startLength}))`] as const;
const start = (column: string) => startCast.join(column);

const indexes = {
  release_by_name: `release (${start('name')}, id)`,
  release_by_system: `release (system, ${start('name')}, id)`,
  rom_by_name: `rom (${start('name')})`,
  source_row_by_name: `source_row (${start('name')})`,
  release_serial_by_serial: `release_serial (${start('serial')})`,
  library_file_in_order: `library_file (root_id, ${start('path')})`,
  library_file_sheets: `library_file (root_id, ${start('path')}) WHERE sheet IS NOT NULL`,
};

/**
 * Rebuilds the indexes for sorting by texts. The indexes now contain the first characters by a cast
 * instead of by `left`.
 */
export const textStarts = {
  version: 32,
  name: '0032-text-starts',
  statements: [
    ...Object.entries(indexes).flatMap(([name, of]) => [
      `DROP INDEX ${name}`,
      `CREATE INDEX ${name} ON ${of}`,
    ]),
    // A new expression has no statistics for the planner until ANALYZE runs.
    `DO $$ BEGIN IF EXISTS (SELECT FROM release) OR EXISTS (SELECT FROM library_file)
      THEN ANALYZE release; ANALYZE rom; ANALYZE source_row; ANALYZE release_serial; ANALYZE library_file; END IF; END $$`,
  ],
};
