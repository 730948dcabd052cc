import pg from 'pg';
import { CatalogError, refused } from '../../../core/shared/errors.ts';
import { ConnectionLost, SqlError } from '../errors.ts';
import type { Connection, Settings } from './connection.ts';

/**
 * Interval, in ms, at which the server checks during a statement whether the client is still
 * connected.
 */
const DISCONNECT_CHECK_MS = 500;
/**
 * Timeout for the first replies of a server, in ms. A server that accepts a connection and takes
 * longer has hung.
 */
const START_MS = 10_000;

/** Returns the name of a database for messages: its URL without user and password. */
export function nameOf(url: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: url });
    const place = host.startsWith('/') ? host : `${host}:${port}`;
    return `postgres://${place}/${database ?? ''}`;
  } catch (error) {
    throw refused('the URL of the database is invalid', error);
  }
}

/** The purpose for which a session is opened. */
export type Role = 'reader' | 'writer' | 'stager' | 'copier';

/** Settings of sessions that fill staging tables. */
const stagerSettings: Settings = {
  // A commit need not wait for the disk, because a crash loses the staged rows in any case.
  synchronous_commit: 'off',
  // Turns off materialisation in plans, because the planner's statistics are outdated while the
  // catalogue grows. If the planner expects two rows instead of thousands, it considers repeated
  // passes over a materialised result as cheap as a hash join. Such passes take quadratic time.
  enable_material: 'off',
  // Statistics use a small sample, because the tables are analysed many times while they are
  // filled.
  default_statistics_target: '10',
  client_min_messages: 'warning',
};

/**
 * Settings of sessions that keep their locks for hours. If the machine of such a session fails, the
 * server ends the session after 40 s (PostgreSQL 15, 20.3.2).
 */
const copierSettings: Settings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
};

/**
 * Returns the settings of a session. Settings that the server does not know are skipped later.
 * `detectsDisconnects` is true if the server can end the statements of disconnected clients. This
 * ability depends on the server's operating system (PostgreSQL 15, 20.3.2).
 */
export function settingsOf(role: Role, detectsDisconnects: boolean): Settings {
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
    // Turns off the compilation of queries, because compiling takes longer than running these
    // queries.
    jit: 'off',
    lock_timeout: '4500ms',
    // Turns off the server's timeouts, because this program has its own. Otherwise the timeouts of
    // a role or a database could apply. `transaction_timeout` is new in PostgreSQL 17.
    statement_timeout: '0',
    transaction_timeout: '0',
    idle_session_timeout: '0',
    // Ends a session that is idle in a transaction. The session has hung or its client has
    // disconnected, and the session may block others with its locks.
    idle_in_transaction_session_timeout: '15s',
    ...(detectsDisconnects && { client_connection_check_interval: `${DISCONNECT_CHECK_MS}ms` }),
  };
}

/**
 * Makes the server end the statements of a session when its client has disconnected. Returns false
 * if the server does not support this.
 */
export async function detectDisconnects(connection: Connection): Promise<boolean> {
  try {
    await connection.run(
      `SET client_connection_check_interval = ${DISCONNECT_CHECK_MS}`,
      startLimits(),
    );
    return true;
  } catch (error) {
    if (error instanceof SqlError) return false;
    throw error;
  }
}

/**
 * Checks that this program can use the server and the database. Otherwise throws refused() with the
 * reason.
 */
export async function checkServer(connection: Connection, name: string): Promise<void> {
  const select = `SELECT current_setting('server_version') AS version,
      CAST(current_setting('server_version_num') AS integer) AS number, pg_is_in_recovery() AS standby,
      pg_encoding_to_char(encoding) AS encoding, CAST(datctype AS text) AS letters,
      CAST(current_schema() AS text) AS schema
    FROM pg_database WHERE datname = current_database()`;
  const { rows } = await connection.query(select, [], startLimits());
  const { version, number, standby, encoding, letters, schema } = rows[0] ?? {};
  if (Number(number) < 150_000) {
    throw refused(`${name} runs PostgreSQL ${version}: PostgreSQL 15 or newer is needed`);
  }
  if (standby === true) {
    throw refused(`${name} is a standby, which is read-only: use the primary server`);
  }
  if (encoding !== 'UTF8') {
    throw refused(
      `the database ${name} has the encoding ${encoding}: create it with ENCODING 'UTF8'`,
    );
  }
  if (letters === 'C' || letters === 'POSIX') {
    throw refused(
      `the database ${name} only knows the letters A to Z: create it with LC_CTYPE 'C.UTF-8', or that of a language`,
    );
  }
  if (schema === null) {
    throw refused(`the database ${name} has no schema that its user can see: check search_path`);
  }
}

const startLimits = () => ({ until: performance.now() + START_MS });

/**
 * Returns the error to throw if a database could not be opened. The error's message names the
 * database and gives the reason in one line.
 */
export function toOpenError(error: unknown, name: string): unknown {
  if (error instanceof ConnectionLost) {
    return refused(`cannot reach the database ${name}: ${reasonOf(error)}`, error);
  }
  const serverError = error instanceof SqlError ? error : busyServer(error);
  if (serverError === null) return error;
  return refused(`cannot open the database ${name}: ${serverError.message}`, error);
}

/**
 * Returns the server's error if the server had no room for a session or a lock was not available.
 * Returns null for any other error.
 */
function busyServer(error: unknown): pg.DatabaseError | null {
  if (!(error instanceof CatalogError) || error.kind !== 'busy') return null;
  return error.cause instanceof pg.DatabaseError ? error.cause : null;
}

function reasonOf({ message, cause }: Error): string {
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  const text = reason instanceof Error ? reason.message : message;
  // If the password is missing, `pg` reports its own failed step instead of the missing password.
  return /client password must be a/.test(text) ? 'it requires a password, but none is set' : text;
}
