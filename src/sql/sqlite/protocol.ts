/**
 * A value of a row. Integers within +-(2^53-1) are numbers and larger ones bigints, so each is
 * exact. Booleans come from the columns that `columns.ts` lists. A boolean parameter is stored as 0
 * or 1.
 */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

/** One row as an array. The column names are sent once for all rows. */
export type RawRow = SqlValue[];

/** The result of a query. */
export interface QueryReply {
  columns: string[];
  rows: RawRow[];
  /** The number of rows changed and the last row id, only when the statement returns no rows. */
  changes?: number;
  lastId?: number | bigint;
}

/** A part of a streamed result. The cursor is closed after the last one. */
export interface BatchReply {
  columns: string[];
  rows: RawRow[];
  isLast: boolean;
}

export type Role = 'writer' | 'reader';

/**
 * A command from the main thread to a database thread. Each except `stop-backup` gets one `Reply`,
 * in order.
 */
export type Command =
  | { op: 'open'; file: string; role: Role }
  | { op: 'query'; sql: string; params: readonly unknown[]; inLittleMemory?: true }
  | { op: 'begin'; waitMs: number; isPart: boolean; mayStandStill: boolean }
  | { op: 'single'; sql: string; params: readonly unknown[]; waitMs: number }
  | { op: 'rollback' }
  | { op: 'keep-room'; bytes: number }
  | { op: 'bulk'; sql: string; rows: readonly (readonly unknown[])[] }
  | { op: 'fetch'; cursor: number; sql: string; params: readonly unknown[] }
  | { op: 'drop'; cursor: number }
  | { op: 'fix-state' }
  | { op: 'backup'; to: string }
  | { op: 'stop-backup' }
  | { op: 'close' };

export type Request = Command & { id: number };

/**
 * An error in the form sent between the threads; `code` is SQLite's extended name, such as
 * `SQLITE_CONSTRAINT_UNIQUE`.
 */
export interface Failure {
  message: string;
  code: string | undefined;
  /** SQLite has rolled back the transaction by itself (disk full, failing disk). */
  transactionEnded: boolean;
}

/** Failure code of a command whose transaction was rolled back while it was idle. */
export const undoneCode = 'CATALOG_UNDONE';

export type Reply = { id: number; value: unknown } | { id: number; failure: Failure };
