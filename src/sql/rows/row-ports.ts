import type { PortableRow, RowColumn } from './portable-row.ts';
import type { RowTable } from './row-tables.ts';

/** Reads tables row by row, all in one state of a database. */
export interface TableReader {
  /** Returns the columns, sorted by name. */
  columns(table: RowTable): Promise<readonly RowColumn[]>;
  count(table: RowTable): Promise<number>;
  /** Returns the highest id that the table ever assigned; 0 if none. */
  lastId(table: RowTable): Promise<number>;
  /** Returns the rows in batches of bounded size, in the order of the table's key. */
  rows(table: RowTable, columns: readonly RowColumn[]): AsyncIterable<readonly PortableRow[]>;
}

/** A table of a source. Read its rows before requesting the next table. */
export interface SourceTable {
  readonly table: RowTable;
  readonly columns: readonly RowColumn[];
  readonly lastId: number;
  readonly rows: AsyncIterable<readonly PortableRow[]>;
}

/** All rows of a catalogue, as they were at one moment. */
export interface RowSource {
  /** Version of the schema. */
  readonly version: number;
  /** Total number of rows. */
  readonly total: number;
  tables(): AsyncIterable<SourceTable>;
}

/** A database that is being filled. It is not recognised as a catalogue until that is done. */
export interface RowTarget {
  /** Sees the rows added so far. */
  readonly reader: TableReader;
  add(table: RowTable, columns: readonly RowColumn[], rows: readonly PortableRow[]): Promise<void>;
  /**
   * Finishes the database after the last row: creates the indexes, and makes each table assign only
   * ids above these. Calls `onStep` before each step; some steps are long.
   */
  finish(
    lastIds: ReadonlyMap<RowTable, number>,
    onStep: (done: number, total: number) => void,
  ): Promise<void>;
}
