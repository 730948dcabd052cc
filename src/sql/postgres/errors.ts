import pg from 'pg';
import { busy, busyPerhapsDone, insufficientStorage } from '../../core/shared/errors.ts';
import { UniqueViolation } from '../engine.ts';

/** An error of PostgreSQL that nothing here could explain to a user; adapters translate the ones they expect. */
export class SqlError extends Error {
  /** SQLSTATE, for example `42P01` (PostgreSQL 15, appendix A). */
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.name = 'SqlError';
    this.code = code;
  }
}

/** The server is out of reach, or what was asked of it got no answer in time: nobody knows what became of it. */
export class ConnectionLost extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ConnectionLost';
  }
}

/** The same while a transaction was being committed: it was, or was not. */
export class CommitLost extends ConnectionLost {}

/** The transaction met another one and was ended by the server: it may be tried again from its beginning. */
export class Conflict extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'Conflict';
  }
}

/** Shutting down, starting, or ending this session (57P01 to 57P05, 25P03, 25P04), and what class 08 says. */
const lost = /^(08...|57P0[1-5]|25P0[34])$/;
/** Locks (55P03), a cancelled statement (57014), no room for another session (53300) or for memory (53200). */
const waits = /^(55P03|57014|53300|53200)$/;
const conflicts = /^(40001|40P01)$/;

/** Whether the server is there, and lets nobody in yet (57P03). */
export function isStarting(error: unknown): boolean {
  if (!(error instanceof ConnectionLost)) return false;
  return error.cause instanceof pg.DatabaseError && error.cause.code === '57P03';
}

/** The error to throw for one of `pg`: what the engine says of it, or the error itself. */
export function toError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const { message, code = '' } = error;
  if (lost.test(code)) return new ConnectionLost(message, error);
  if (conflicts.test(code)) return new Conflict(message, error);
  if (waits.test(code)) return busy(error);
  if (code === '23505') return new UniqueViolation(message, error);
  if (code === '53100') return insufficientStorage(error);
  return new SqlError(message, code, error);
}

/** The same for who asked the engine: what it cannot help is busy. */
export function toAnswer(error: unknown): unknown {
  if (error instanceof CommitLost) return busyPerhapsDone(error);
  if (error instanceof ConnectionLost) return busy(error, 'the database does not answer');
  return error instanceof Conflict ? busy(error) : error;
}
