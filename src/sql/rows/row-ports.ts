import type { PortableRow, RowColumn } from './portable-row.ts';
import type { RowTable } from './row-tables.ts';

/** Reads tables row by row, all of one state of a database. */
export interface TableReader {
  /** In the order of their names. */
  columns(table: RowTable): Promise<readonly RowColumn[]>;
  count(table: RowTable): Promise<number>;
  /** The highest id that the table ever gave; 0 where it gave none. */
  lastId(table: RowTable): Promise<number>;
  /** In batches of bounded size, in the order of the table's key. */
  rows(table: RowTable, columns: readonly RowColumn[]): AsyncIterable<readonly PortableRow[]>;
}

/** A table of a source; its rows are read before the next one is asked for. */
export interface SourceTable {
  readonly table: RowTable;
  readonly columns: readonly RowColumn[];
  readonly lastId: number;
  readonly rows: AsyncIterable<readonly PortableRow[]>;
}

/** All rows of a catalogue, as they were at one moment. */
export interface RowSource {
  /** Of the schema. */
  readonly version: number;
  /** How many rows there are, in all. */
  readonly total: number;
  tables(): AsyncIterable<SourceTable>;
}

/** A database that is being filled: nobody takes it for a catalogue until that is done. */
export interface RowTarget {
  /** Sees what was added. */
  readonly reader: TableReader;
  add(table: RowTable, columns: readonly RowColumn[], rows: readonly PortableRow[]): Promise<void>;
  /**
   * After the last row: makes the indexes, and has each table give ids above these only. `onStep` is told before each of the
   * steps, some of which are long.
   */
  finish(
    lastIds: ReadonlyMap<RowTable, number>,
    onStep: (done: number, total: number) => void,
  ): Promise<void>;
}
