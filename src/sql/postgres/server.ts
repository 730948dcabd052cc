import pg from 'pg';
import { CatalogError, refused } from '../../core/shared/errors.ts';
import type { Connection, Settings } from './connection.ts';
import { ConnectionLost, SqlError } from './errors.ts';

/** Milliseconds after which the server looks whether the one who asked is still there. */
const LOOK_MS = 500;
/** A server that lets somebody in and does not answer by then has hung. */
const START_MS = 10_000;

/** What the server and the database of an address are called in messages, without its password. */
export function nameOf(address: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: address });
    const place = host.startsWith('/') ? host : `${host}:${port}`;
    return `postgres://${place}/${database ?? ''}`;
  } catch (error) {
    throw refused('the address of the database is not understood', error);
  }
}

/** What the sessions of an engine are for. */
export type Role = 'reader' | 'writer' | 'stager' | 'copier';

/** Of sessions that stage. */
const stagerSettings: Settings = {
  // What is staged is lost in a crash in any case.
  synchronous_commit: 'off',
  // The catalogue grows faster than the planner looks at it. Where it takes some thousand rows for two, going through them again
  // and again is as cheap for it as a hash, and takes the square of the time.
  enable_material: 'off',
  // Tables are looked at again and again while they are filled; a sample of some thousand rows tells enough.
  default_statistics_target: '10',
  client_min_messages: 'warning',
};

/** Of sessions that have their locks for hours: the server ends one 40 s after its machine is gone (PostgreSQL 15, 20.3.2). */
const copierSettings: Settings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
};

/**
 * What a session is set to, as far as the server knows it. `noticesGone`: whether the server can end the statements of
 * clients that are gone (not every system can, PostgreSQL 15, 20.3.2).
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
    // Compiling takes longer than what is asked.
    jit: 'off',
    lock_timeout: '4500ms',
    // How long anything may take is decided here; a role or a database may have other limits. The second is of PostgreSQL 17.
    statement_timeout: '0',
    transaction_timeout: '0',
    idle_session_timeout: '0',
    // One who holds locks and says nothing has hung, or is gone.
    idle_in_transaction_session_timeout: '15s',
    ...(noticesGone && { client_connection_check_interval: `${LOOK_MS}ms` }),
  };
}

/** Has the server end the statements of a session whose client is gone; returns whether it can. */
export async function noticeGone(connection: Connection): Promise<boolean> {
  try {
    await connection.run(`SET client_connection_check_interval = ${LOOK_MS}`, atStart());
    return true;
  } catch (error) {
    if (error instanceof SqlError) return false;
    throw error;
  }
}

/** Throws refused() with a line that says what is wrong with a server or a database. */
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

/** Why a database could not be opened, as one line that names it. */
export function toOpenError(error: unknown, name: string): unknown {
  if (error instanceof ConnectionLost) {
    return refused(`cannot reach the database ${name}: ${reasonOf(error)}`, error);
  }
  const said = error instanceof SqlError ? error : busyServer(error);
  if (said === null) return error;
  return refused(`cannot open the database ${name}: ${said.message}`, error);
}

/** What a server said that had no room for a session, or a lock; null for anything else. */
function busyServer(error: unknown): pg.DatabaseError | null {
  if (!(error instanceof CatalogError) || error.kind !== 'busy') return null;
  return error.cause instanceof pg.DatabaseError ? error.cause : null;
}

function reasonOf({ message, cause }: Error): string {
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  const text = reason instanceof Error ? reason.message : message;
  // `pg` tells what it was doing
  return /client password must be a/.test(text)
    ? 'it asks for a password, and none is given'
    : text;
}
