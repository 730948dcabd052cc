import { startLength } from './0028/texts.ts';

/**
 * What stands before and after the first characters of a text, as the indexes have them: as many characters as of `left`,
 * in half the time for each row of a walk, since a text that is no longer is not copied.
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

/** The indexes that give an order hold the first characters of a text by a cast instead of by `left`. */
export const textStarts = {
  version: 32,
  name: '0032-text-starts',
  statements: [
    ...Object.entries(indexes).flatMap(([name, of]) => [
      `DROP INDEX ${name}`,
      `CREATE INDEX ${name} ON ${of}`,
    ]),
    // What the planner knows of an expression comes when somebody looks.
    `DO $$ BEGIN IF EXISTS (SELECT FROM release) OR EXISTS (SELECT FROM library_file)
      THEN ANALYZE release; ANALYZE rom; ANALYZE source_row; ANALYZE release_serial; ANALYZE library_file; END IF; END $$`,
  ],
};
