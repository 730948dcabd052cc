import { startLength } from './0028/texts.ts';

/**
 * The SQL before and after a text that yields its first characters, as the indexes hold them. The
 * cast gives the same number of characters as `left`. It is faster, because it does not copy a text
 * that is short enough.
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

/** The ordering indexes hold the first characters of a text by a cast instead of by `left`. */
export const textStarts = {
  version: 32,
  name: '0032-text-starts',
  statements: [
    ...Object.entries(indexes).flatMap(([name, of]) => [
      `DROP INDEX ${name}`,
      `CREATE INDEX ${name} ON ${of}`,
    ]),
    // The planner has no statistics on an expression until ANALYZE runs.
    `DO $$ BEGIN IF EXISTS (SELECT FROM release) OR EXISTS (SELECT FROM library_file)
      THEN ANALYZE release; ANALYZE rom; ANALYZE source_row; ANALYZE release_serial; ANALYZE library_file; END IF; END $$`,
  ],
};
