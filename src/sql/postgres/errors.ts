import pg from 'pg';
import {
  busy,
  busyOutcomeUnknown,
  CatalogError,
  insufficientStorage,
} from '../../core/shared/errors.ts';
import { UniqueViolation } from '../engine/unique-violation.ts';

/**
 * A PostgreSQL error that the engine does not translate. Adapters handle the SQLSTATEs that they
 * expect.
 */
export class SqlError extends Error {
  /** The SQLSTATE, for example `42P01` (PostgreSQL 15, appendix A). */
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.name = 'SqlError';
    this.code = code;
  }
}

/**
 * The server is unreachable, or a statement got no reply in time. The outcome of the statement is
 * unknown.
 */
export class ConnectionLost extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ConnectionLost';
  }
}

/** The connection was lost during a commit. It is unknown whether the transaction was committed. */
export class CommitLost extends ConnectionLost {}

/**
 * The server ended the transaction because it conflicted with another transaction. The transaction
 * may be run again from the beginning.
 */
export class Conflict extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'Conflict';
  }
}

/**
 * SQLSTATEs that mean that the session is lost. The server is shutting down, starting, or ending
 * this session (57P01 to 57P05, 25P03, 25P04), or the connection failed (class 08).
 */
const connectionLostCodes = /^(08...|57P0[1-5]|25P0[34])$/;
/**
 * SQLSTATEs that become busy(): a lock timeout (55P03), a cancelled statement (57014), out of
 * memory (53200).
 */
const busyCodes = /^(55P03|57014|53200)$/;
const conflictCodes = /^(40001|40P01)$/;

/**
 * Returns true if an error means that the server is starting and does not accept sessions yet
 * (57P03).
 */
export function isStarting(error: unknown): boolean {
  if (!(error instanceof ConnectionLost)) return false;
  return error.cause instanceof pg.DatabaseError && error.cause.code === '57P03';
}

/**
 * Returns true if an error means that the server, or a pooler in front of it, has no room for
 * another session.
 */
export function isServerFull(error: unknown): boolean {
  if (isAtConnectionLimit(error)) return true;
  if (!(error instanceof CatalogError && error.cause instanceof pg.DatabaseError)) return false;
  return isRefusedByPooler(error.cause);
}

/**
 * Returns true if an error means that the server itself has no room for another session (53300).
 */
export function isAtConnectionLimit(error: unknown): boolean {
  if (!(error instanceof CatalogError && error.cause instanceof pg.DatabaseError)) return false;
  return error.cause.code === '53300';
}

/**
 * Returns true if a pooler refused a connection itself, for example because it has too many clients
 * (`max_client_conn`). PgBouncer 1.18 reports all such reasons as protocol violations. Unlike the
 * errors of PostgreSQL, these errors name no routine.
 */
function isRefusedByPooler({ code, routine }: pg.DatabaseError): boolean {
  return code === '08P01' && routine === undefined;
}

/**
 * Translates an error of `pg` into the error that the engine throws. Returns other errors
 * unchanged.
 */
export function toError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const { message, code = '' } = error;
  if (code === '53300') {
    return busy(error, 'the database server has no room for another connection', 'database');
  }
  if (isRefusedByPooler(error)) {
    return busy(error, `the connection pooler refused a connection: ${message}`, 'database');
  }
  if (connectionLostCodes.test(code)) return new ConnectionLost(message, error);
  if (conflictCodes.test(code)) return new Conflict(message, error);
  if (busyCodes.test(code)) return busy(error);
  if (code === '23505') return new UniqueViolation(message, error);
  if (code === '53100') return insufficientStorage(error);
  return new SqlError(message, code, error);
}

/**
 * Translates an error for callers of the engine. A lost connection or a conflict becomes busy(), a
 * lost commit becomes busyOutcomeUnknown().
 */
export function toCallerError(error: unknown): unknown {
  if (error instanceof CommitLost) return busyOutcomeUnknown(error, 'database');
  if (error instanceof ConnectionLost) {
    return busy(error, 'the database server does not respond', 'database');
  }
  return error instanceof Conflict ? busy(error) : error;
}
