/**
 * A value of a row: integers within +-(2^53-1) are numbers and beyond it bigints, so every one is exact; booleans are
 * those of the columns that `columns.ts` names. As a parameter a boolean is stored as 0 or 1.
 */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

/** One row as an array; the names of its columns are sent once for all rows. */
export type RawRow = SqlValue[];

/** What a query returned. */
export interface QueryReply {
  columns: string[];
  rows: RawRow[];
  /** Rows changed and the last row id, only when the statement returns no rows. */
  changes?: number;
  lastId?: number | bigint;
}

/** A part of a streamed result; the cursor is gone when it is the last one. */
export interface BatchReply {
  columns: string[];
  rows: RawRow[];
  isLast: boolean;
}

export type Role = 'writer' | 'reader';

/** What the main thread asks of a database thread; each but `stop-backup` is answered by one `Reply`, in order. */
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

/** An error as it crosses the threads; `code` is SQLite's extended name, `SQLITE_CONSTRAINT_UNIQUE`. */
export interface Failure {
  message: string;
  code: string | undefined;
  /** SQLite has ended the transaction by itself (disk full, failing disk). */
  transactionEnded: boolean;
}

/** The code of the failure of a command in a transaction that was undone while it stood still. */
export const undoneCode = 'CATALOG_UNDONE';

export type Reply = { id: number; value: unknown } | { id: number; failure: Failure };
