import type { PortableRow, RowColumn } from './portable-row.ts';
import type { RowTable } from './row-tables.ts';

/** Reads the tables of a database. All reads see the same state. */
export interface TableReader {
  /** Returns the columns of a table, sorted by name. */
  columns(table: RowTable): Promise<readonly RowColumn[]>;
  count(table: RowTable): Promise<number>;
  /** Returns the highest id that the table has ever assigned, or 0 if it has assigned none. */
  lastId(table: RowTable): Promise<number>;
  /**
   * Yields the rows of a table in batches of limited size. The rows are in the order of the table's
   * key.
   */
  rows(table: RowTable, columns: readonly RowColumn[]): AsyncIterable<readonly PortableRow[]>;
}

/** A table of a source. All its rows must be read before the next table is requested. */
export interface SourceTable {
  readonly table: RowTable;
  readonly columns: readonly RowColumn[];
  readonly lastId: number;
  readonly rows: AsyncIterable<readonly PortableRow[]>;
}

/** All rows of a catalogue at one moment. */
export interface RowSource {
  /** Version of the schema. */
  readonly version: number;
  /** Total number of rows in all tables. */
  readonly total: number;
  tables(): AsyncIterable<SourceTable>;
}

/**
 * A database that is being filled. The database is recognised as a catalogue only when it is
 * completely filled.
 */
export interface RowTarget {
  /** Reads the rows that were added so far. */
  readonly reader: TableReader;
  add(table: RowTable, columns: readonly RowColumn[], rows: readonly PortableRow[]): Promise<void>;
  /**
   * Completes the database after the last row was added. Creates the indexes. Makes each table
   * assign only ids above its entry in `lastIds`. Calls `onStep` before each step, because some
   * steps are long.
   */
  finish(
    lastIds: ReadonlyMap<RowTable, number>,
    onStep: (done: number, total: number) => void,
  ): Promise<void>;
}
