import { type Columns, columnsOf } from '../columns.ts';
import { Connection } from './connection.ts';
import type { Interruption } from './interruption.ts';
import type { BatchReply, RawRow } from './protocol.ts';
import { toBound, toPlain } from './values.ts';

const BATCH_ROWS = 500;
const BATCH_UNITS = 256 * 1024; // characters and bytes; limits a batch of long texts

interface Cursor {
  connection: Connection;
  rows: Iterator<RawRow>;
  columns: Columns;
}

/**
 * The open streams of a reading thread. Each stream uses a connection of its own, because
 * better-sqlite3 locks a connection during an iteration. When a stream ends, its connection is
 * reused for the next stream.
 */
export class Cursors {
  readonly #file: string;
  readonly #open = new Map<number, Cursor>();
  readonly #idle: Connection[] = [];
  readonly #interruption: Interruption;

  constructor(file: string, interruption: Interruption) {
    this.#file = file;
    this.#interruption = interruption;
  }

  /**
   * Returns the next rows of a stream. The first call opens the stream. A stream that ended or
   * failed is removed.
   */
  fetch(id: number, sql: string, params: readonly unknown[]): BatchReply {
    const cursor = this.#open.get(id) ?? this.#start(id, sql, params);
    const rows: RawRow[] = [];
    let units = 0;
    try {
      while (rows.length < BATCH_ROWS && units < BATCH_UNITS) {
        const next = cursor.rows.next();
        if (next.done) {
          this.drop(id);
          return { columns: cursor.columns.names, rows, isLast: true };
        }
        rows.push(toPlain(next.value, cursor.columns));
        units += unitsOf(next.value);
      }
    } catch (error) {
      this.drop(id);
      throw error;
    }
    return { columns: cursor.columns.names, rows, isLast: false };
  }

  /** Ends a stream before its last row. Does nothing if no stream has this id. */
  drop(id: number): void {
    const cursor = this.#open.get(id);
    if (!cursor) return;
    this.#open.delete(id);
    cursor.rows.return?.();
    this.#idle.push(cursor.connection);
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.drop(id);
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  #start(id: number, sql: string, params: readonly unknown[]): Cursor {
    const connection = this.#idle.pop() ?? new Connection(this.#file, 'reader', this.#interruption);
    try {
      const statement = connection.database.prepare<unknown[], RawRow>(sql).raw(true);
      const columns = columnsOf(statement);
      const cursor = { connection, rows: statement.iterate(toBound(params)), columns };
      this.#open.set(id, cursor);
      return cursor;
    } catch (error) {
      this.#idle.push(connection);
      throw error;
    }
  }
}

function unitsOf(row: RawRow): number {
  let units = 0;
  for (const value of row) {
    if (typeof value === 'string') units += value.length;
    else if (value instanceof Uint8Array) units += value.byteLength;
  }
  return units;
}
