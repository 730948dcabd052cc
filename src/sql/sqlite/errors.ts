import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { busy, insufficientStorage, refused } from '../../core/shared/errors.ts';
import { UniqueViolation } from '../engine/unique-violation.ts';
import { type Failure, idleRollbackCode } from './threads/protocol.ts';

const FULL_BELOW_BYTES = 1024 * 1024;

/**
 * A SQLite error that the engine does not translate. Adapters handle the result codes that they
 * expect.
 */
export class SqlError extends Error {
  /** Name of SQLite's extended result code, for example `SQLITE_CONSTRAINT_UNIQUE`. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'SqlError';
    this.code = code;
  }
}

/**
 * The transaction was rolled back because it was idle while another process waited. The transaction
 * may be run again from the beginning.
 */
export class IdleRollback extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Undone';
  }
}

/**
 * Returns the error to throw on the main thread for a failure on a database thread. The error is
 * `IdleRollback`, `busy`, `insufficient storage`, `UniqueViolation`, `SqlError` or a plain `Error`.
 */
export async function toError(failure: Failure, file: string): Promise<Error> {
  const { message, code } = failure;
  if (code === undefined) return new Error(message);
  if (code === idleRollbackCode) return new IdleRollback(message);
  const error = new SqlError(message, code);
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return busy(error, undefined, 'database');
  if (code.startsWith('SQLITE_INTERRUPT')) return busy(error);
  if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)$/.test(code)) {
    return new UniqueViolation(message, error);
  }
  if (code === 'SQLITE_FULL') return insufficientStorage(error);
  if (/^SQLITE_(IOERR|CANTOPEN)/.test(code) && (await diskIsFull(file))) {
    return insufficientStorage(error);
  }
  return error;
}

/**
 * Returns the error to throw if a file could not be opened as a database. The error's message names
 * the file and gives the reason in one line.
 */
export function toOpenError(error: unknown, file: string): unknown {
  if (!(error instanceof SqlError)) return error;
  if (error.code === 'SQLITE_NOTADB') return refused(`${file} is not a database`, error);
  if (error.code.startsWith('SQLITE_CORRUPT')) {
    return refused(`the database ${file} is damaged: restore it from a backup`, error);
  }
  return refused(`cannot open the database ${file}: ${error.message}`, error);
}

async function diskIsFull(file: string): Promise<boolean> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(dirname(file));
    return bavail * bsize < FULL_BELOW_BYTES || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}
