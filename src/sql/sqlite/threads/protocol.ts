/**
 * A value of a row. Integers within +-(2^53-1) are numbers and other integers are bigints, so every
 * integer is exact. Values are booleans only in columns that `columns.ts` lists. As a parameter, a
 * boolean is stored as 0 or 1.
 */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

/** One row as an array of values. The column names are sent only once for all rows. */
export type RawRow = SqlValue[];

/** A statement with a value for each of its parameters. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** The result of a statement. */
export interface QueryReply {
  columns: string[];
  rows: RawRow[];
  /**
   * The number of changed rows and the id of the last inserted row. Set only for statements that
   * return no rows.
   */
  changes?: number;
  lastId?: number | bigint;
}

/** A batch of the rows of a stream. After the last batch the stream is closed. */
export interface BatchReply {
  columns: string[];
  rows: RawRow[];
  isLast: boolean;
}

export type Role = 'writer' | 'reader';

/**
 * The kind of a part of long work (`WriteOptions.isPart`): `short` while other writes have to wait
 * for parts to end, otherwise `long`.
 */
export type Part = 'short' | 'long';

/**
 * Whether to begin a transaction before the rows of a command, and to commit it after them. The
 * transaction is a plain BEGIN, which takes no lock on the database file while only TEMP tables are
 * changed. If the command fails, the transaction is rolled back.
 */
export interface Ends {
  readonly begins: boolean;
  readonly commits: boolean;
}

/**
 * A command that the main thread sends to a database thread. Each command except `stop-backup` gets
 * one `Reply`, in order.
 */
export type Command =
  | { op: 'open'; file: string; role: Role }
  | { op: 'query'; sql: string; params: readonly unknown[]; inLittleMemory?: true }
  | { op: 'queries'; statements: readonly Statement[]; inLittleMemory?: true }
  | { op: 'begin'; waitMs: number; part: Part | null; mayIdle: boolean }
  | { op: 'single'; sql: string; params: readonly unknown[]; waitMs: number }
  | { op: 'rollback' }
  | { op: 'keep-room'; bytes: number }
  | {
      op: 'bulk';
      sql: string;
      rows: readonly (readonly unknown[])[];
      ends?: Ends;
    }
  | { op: 'fetch'; cursor: number; sql: string; params: readonly unknown[] }
  | { op: 'drop'; cursor: number }
  | { op: 'fix-state' }
  | { op: 'backup'; to: string }
  | { op: 'stop-backup' }
  | { op: 'close' };

export type Request = Command & { id: number };

/**
 * An error as sent between threads. `code` is the name of SQLite's extended result code, such as
 * `SQLITE_CONSTRAINT_UNIQUE`.
 */
export interface Failure {
  message: string;
  code: string | undefined;
  /**
   * True if SQLite has already rolled back the transaction, for example because the disk is full or
   * failing.
   */
  transactionEnded: boolean;
}

/** Failure code of a command whose transaction was rolled back because it was idle. */
export const idleRollbackCode = 'CATALOG_UNDONE';

export type Reply = { id: number; value: unknown } | { id: number; failure: Failure };
