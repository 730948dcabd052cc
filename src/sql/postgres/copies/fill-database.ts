import { refused, refusedOutcomeUnknown } from '../../../core/shared/errors.ts';
import type { ReservedTarget } from '../../engine/engine.ts';
import type { RowTarget } from '../../rows/row-ports.ts';
import type { RowTable } from '../../rows/row-tables.ts';
import { CommitLost } from '../errors.ts';
import { changeSchema, checkExtensions, createTables, findVersion } from '../migrate.ts';
import { migrations } from '../migrations/list.ts';
import { Connection } from '../sessions/connection.ts';
import {
  checkServer,
  detectDisconnects,
  nameOf,
  settingsOf,
  toOpenError,
} from '../sessions/server.ts';
import { PostgresTarget } from './fill.ts';

const CONNECT_MS = 4_000;
const LOCK_MS = 10_000;
/**
 * Key of the advisory lock that reserves a database for a copy. The last step of a copy takes
 * another lock; see `changeSchema`.
 */
const copyLock = 7_021_784_526_934_551_412n;

/**
 * Creates the tables in the empty database at a URL and runs `work` to fill the tables, all in one
 * transaction. If the copy is interrupted, the database is empty again. Throws refused() if the
 * database is not empty or cannot be used. If the connection is lost at the COMMIT, checks whether
 * the transaction was committed. If this check fails, throws refusedOutcomeUnknown().
 */
export async function fillPostgres<R>(
  url: string,
  options: { version: number; tables: readonly RowTable[] },
  work: (target: RowTarget, name: string) => Promise<R>,
): Promise<R> {
  const name = nameOf(url);
  const { version, tables } = options;
  const steps = migrations.filter((step) => step.version <= version);
  let filled: { readonly result: R } | undefined;
  try {
    return await usingTarget(url, name, async (connection) => {
      await detectDisconnects(connection);
      return changeSchema(connection, async () => {
        await refuseContent(connection, name);
        await createTables(connection, name, steps);
        const result = await work(await PostgresTarget.begin(connection, tables), name);
        filled = { result };
        return result;
      });
    });
  } catch (error) {
    if (filled === undefined || !(error instanceof CommitLost)) throw toOpenError(error, name);
    const found = await versionAfter(url, name, error);
    if (found !== version) throw toOpenError(error, name);
    return filled.result;
  }
}

/**
 * Reserves a database for one copy, by a session that keeps a lock until `release` is called.
 * Throws refused() if the database is not empty or cannot be used, or if another copy has reserved
 * the database. Does not detect failures that occur only at the end of `fillPostgres`.
 */
export async function reservePostgresTarget(url: string): Promise<ReservedTarget> {
  const name = nameOf(url);
  try {
    const connection = await openTarget(url, name);
    try {
      await refuseContent(connection, name);
      // Takes the lock before checking the extensions. Otherwise the creation of an extension would
      // wait for the commit of another copy that created the extension.
      await takeLock(connection, name);
      await checkExtensions(connection, name, migrations);
      return { name, release: () => connection.end() };
    } catch (error) {
      await connection.end();
      throw error;
    }
  } catch (error) {
    throw toOpenError(error, name);
  }
}

async function takeLock(connection: Connection, name: string): Promise<void> {
  const select = `SELECT pg_try_advisory_lock(${copyLock}) AS taken`;
  const { rows } = await connection.query(select, [], { until: performance.now() + LOCK_MS });
  if (rows[0]?.taken === true) return;
  throw refused(`another process is copying or restoring to ${name}: wait until it ends`);
}

async function usingTarget<R>(
  url: string,
  name: string,
  work: (connection: Connection) => Promise<R>,
): Promise<R> {
  const connection = await openTarget(url, name);
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

async function openTarget(url: string, name: string): Promise<Connection> {
  const connection = await Connection.open(url, settings, CONNECT_MS);
  try {
    await checkServer(connection, name);
    return connection;
  } catch (error) {
    await connection.end();
    throw error;
  }
}

const settings = {
  ...settingsOf('copier', false),
  // No timeout, because the rows arrive only as fast as they can be read from the source.
  idle_in_transaction_session_timeout: '0',
  // More memory than by default, because building each index needs a sort.
  maintenance_work_mem: '128MB',
};

async function refuseContent(connection: Connection, name: string): Promise<void> {
  const version = await findVersion(connection);
  if (version === 0) return;
  const what = version === null ? 'tables of another program' : 'a catalogue';
  throw refused(`${name} is not empty, it contains ${what}: choose a database without tables`);
}

/**
 * Returns the version of the database after a COMMIT that got no reply. First waits until the
 * session that sent the COMMIT has ended.
 */
async function versionAfter(url: string, name: string, lost: CommitLost): Promise<number | null> {
  try {
    return await usingTarget(url, name, (connection) =>
      changeSchema(connection, () => findVersion(connection)),
    );
  } catch (error) {
    const { message } = toOpenError(error, name) as Error;
    throw refusedOutcomeUnknown(
      `the connection was lost at the end of the copy, and it is unknown whether it was committed (${message}): check the target before you copy again`,
      lost,
    );
  }
}
