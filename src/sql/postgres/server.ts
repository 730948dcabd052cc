import pg from 'pg';
import { CatalogError, refused } from '../../core/shared/errors.ts';
import type { Connection, Settings } from './connection.ts';
import { ConnectionLost, SqlError } from './errors.ts';

/**
 * Interval in ms at which the server checks whether the client of a statement is still connected.
 */
const LOOK_MS = 500;
/** A server that accepts a connection and does not reply within this time has hung. */
const START_MS = 10_000;

/**
 * Returns the name that messages use for the server and database of a URL, without its password.
 */
export function nameOf(address: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: address });
    const place = host.startsWith('/') ? host : `${host}:${port}`;
    return `postgres://${place}/${database ?? ''}`;
  } catch (error) {
    throw refused('the address of the database is not understood', error);
  }
}

/** The purpose of a session. */
export type Role = 'reader' | 'writer' | 'stager' | 'copier';

/** Settings of sessions that stage. */
const stagerSettings: Settings = {
  // Staged rows are lost in a crash in any case.
  synchronous_commit: 'off',
  // The catalogue grows faster than the planner's statistics. If the planner expects two rows where
  // there are some thousand, it considers repeated passes over them as cheap as a hash. Those take
  // quadratic time.
  enable_material: 'off',
  // Tables are analysed again and again while they are filled; a sample of some thousand rows
  // suffices.
  default_statistics_target: '10',
  client_min_messages: 'warning',
};

/**
 * Settings of sessions that hold their locks for hours. The server ends such a session 40 s after
 * its machine is gone (PostgreSQL 15, 20.3.2).
 */
const copierSettings: Settings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
};

/**
 * Returns the settings of a session; those that the server does not know are skipped.
 * `noticesGone`: whether the server can end the statements of clients that are gone (not every
 * system can, PostgreSQL 15, 20.3.2).
 */
export function settingsOf(role: Role, noticesGone: boolean): Settings {
  return {
    client_encoding: 'UTF8',
    TimeZone: 'UTC',
    bytea_output: 'hex',
    standard_conforming_strings: 'on',
    default_transaction_isolation: 'read committed',
    default_transaction_read_only: role === 'reader' ? 'on' : 'off',
    synchronous_commit: 'on',
    ...(role === 'stager' && stagerSettings),
    ...(role === 'copier' && copierSettings),
    // Compiling takes longer than these queries.
    jit: 'off',
    lock_timeout: '4500ms',
    // This program sets its own time limits; a role or a database may have others.
    // `transaction_timeout` is new in PostgreSQL 17.
    statement_timeout: '0',
    transaction_timeout: '0',
    idle_session_timeout: '0',
    // A session that is idle while it holds locks has hung, or its client is gone.
    idle_in_transaction_session_timeout: '15s',
    ...(noticesGone && { client_connection_check_interval: `${LOOK_MS}ms` }),
  };
}

/**
 * Makes the server end the statements of a session whose client is gone; returns whether it can.
 */
export async function noticeGone(connection: Connection): Promise<boolean> {
  try {
    await connection.run(`SET client_connection_check_interval = ${LOOK_MS}`, atStart());
    return true;
  } catch (error) {
    if (error instanceof SqlError) return false;
    throw error;
  }
}

/** Throws refused() with a line that says what is wrong with the server or the database. */
export async function checkServer(connection: Connection, name: string): Promise<void> {
  const select = `SELECT current_setting('server_version') AS version,
      CAST(current_setting('server_version_num') AS integer) AS number, pg_is_in_recovery() AS standby,
      pg_encoding_to_char(encoding) AS encoding, CAST(datctype AS text) AS letters,
      CAST(current_schema() AS text) AS schema
    FROM pg_database WHERE datname = current_database()`;
  const { rows } = await connection.query(select, [], atStart());
  const { version, number, standby, encoding, letters, schema } = rows[0] ?? {};
  if (Number(number) < 150_000) {
    throw refused(`${name} is a server of PostgreSQL ${version}: PostgreSQL 15 or newer is needed`);
  }
  if (standby === true) {
    throw refused(`${name} is a standby, which only answers questions: name the primary server`);
  }
  if (encoding !== 'UTF8') {
    throw refused(`the database ${name} holds ${encoding}: create it with ENCODING 'UTF8'`);
  }
  if (letters === 'C' || letters === 'POSIX') {
    throw refused(
      `the database ${name} knows no letters but A to Z: create it with LC_CTYPE 'C.UTF-8', or that of a language`,
    );
  }
  if (schema === null) {
    throw refused(`the database ${name} has no schema that its user can see: see search_path`);
  }
}

const atStart = () => ({ until: performance.now() + START_MS });

/**
 * Returns an error that says in one line why a database could not be opened, and names the
 * database.
 */
export function toOpenError(error: unknown, name: string): unknown {
  if (error instanceof ConnectionLost) {
    return refused(`cannot reach the database ${name}: ${reasonOf(error)}`, error);
  }
  const said = error instanceof SqlError ? error : busyServer(error);
  if (said === null) return error;
  return refused(`cannot open the database ${name}: ${said.message}`, error);
}

/**
 * Returns the server's error if it had no room for a session or did not get a lock; null for any
 * other error.
 */
function busyServer(error: unknown): pg.DatabaseError | null {
  if (!(error instanceof CatalogError) || error.kind !== 'busy') return null;
  return error.cause instanceof pg.DatabaseError ? error.cause : null;
}

function reasonOf({ message, cause }: Error): string {
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  const text = reason instanceof Error ? reason.message : message;
  // `pg` reports what it was doing instead of the reason
  return /client password must be a/.test(text)
    ? 'it asks for a password, and none is given'
    : text;
}
