import { refused } from '../../core/shared/errors.ts';
import { CommitLost, ConnectionLost, SqlError } from './errors.ts';
import type { Migration } from './migrations/list.ts';
import type { Connection, Patience } from './sessions/connection.ts';

const OTHER_PROCESS_MS = 5 * 60_000;
/** Timeout of one statement of a migration, in ms. A statement may process a whole catalogue. */
const STATEMENT_MS = 60 * 60_000;
const COMMIT_MS = 5 * 60_000;
const SHORT_STATEMENT_MS = 60_000;
const GRACE_MS = 5_000;
const createExtension = /^CREATE EXTENSION IF NOT EXISTS (\w+)/;
/** SQLSTATE that the server returns if a privilege is missing. */
const forbidden = '42501';
/** Key of the advisory lock for changes of the schema. */
const lock = 7_021_784_526_934_551_411n;

/**
 * Upgrades the database to the version of the last migration, in one transaction. Several processes
 * may call this function at once; all but one wait, for up to 5 minutes. Throws refused() if the
 * database is newer or belongs to another program. Also throws refused() if an extension is missing
 * and cannot be created.
 */
export async function migrate(
  connection: Connection,
  name: string,
  migrations: readonly Migration[],
): Promise<void> {
  const known = migrations.at(-1)?.version ?? 0;
  // Reads the version without the lock first, so that no process waits for the lock if the database
  // is up to date.
  if (checkVersion(await findVersion(connection), known, name) === known) return;
  await changeSchema(connection, async () => {
    // Another process may have upgraded the database meanwhile.
    const now = checkVersion(await findVersion(connection), known, name);
    for (const step of migrations) {
      if (step.version > now) await runStep(connection, step, name);
    }
    if (now < known) await writeVersion(connection, known);
  });
}

/**
 * Runs `work` in one transaction that may change the schema. If other processes call this function
 * meanwhile, they wait for up to 5 minutes. Throws CommitLost if it is unknown whether the
 * transaction was committed.
 */
export async function changeSchema<R>(connection: Connection, work: () => Promise<R>): Promise<R> {
  await connection.run(
    `BEGIN; SET LOCAL lock_timeout = ${OTHER_PROCESS_MS}`,
    patience(OTHER_PROCESS_MS),
  );
  try {
    const withGrace = patience(OTHER_PROCESS_MS + GRACE_MS);
    await connection.query(`SELECT pg_advisory_xact_lock(${lock})`, [], withGrace);
    const result = await work();
    await commit(connection);
    return result;
  } catch (error) {
    // If ROLLBACK fails too, the original error is still thrown.
    if (!connection.isLost) {
      await connection.run('ROLLBACK', patience(COMMIT_MS)).catch(() => connection.destroy());
    }
    throw error;
  }
}

async function commit(connection: Connection): Promise<void> {
  try {
    await connection.run('COMMIT', patience(COMMIT_MS));
  } catch (error) {
    if (error instanceof ConnectionLost) throw new CommitLost(error.message, error.cause);
    throw error;
  }
}

/**
 * Creates the tables of the last step's version in an empty database. Call this function only
 * within `changeSchema`.
 */
export async function createTables(
  connection: Connection,
  name: string,
  steps: readonly Migration[],
): Promise<void> {
  for (const step of steps) await runStep(connection, step, name);
  await writeVersion(connection, steps.at(-1)?.version ?? 0);
}

/**
 * Throws refused() if a step needs an extension that is missing and cannot be created. The database
 * is not changed.
 */
export async function checkExtensions(
  connection: Connection,
  name: string,
  steps: readonly Migration[],
): Promise<void> {
  await connection.run('BEGIN', patience(SHORT_STATEMENT_MS));
  for (const { version, name: stepName, statements } of steps) {
    const creating = statements.filter((statement) => createExtension.test(statement));
    await runStep(connection, { version, name: stepName, statements: creating }, name);
  }
  await connection.run('ROLLBACK', patience(SHORT_STATEMENT_MS));
}

/**
 * Returns the schema version of the database. Returns 0 if the database is empty, or null if the
 * database belongs to another program.
 */
export async function findVersion(connection: Connection): Promise<number | null> {
  const { rows: tables } = await connection.query(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
        AND NOT EXISTS (SELECT 1 FROM pg_depend
          WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
      ORDER BY relname <> 'schema_version' LIMIT 1`,
    [],
    patience(SHORT_STATEMENT_MS),
  );
  if (!tables[0]) return 0;
  if (tables[0].name !== 'schema_version') return null;
  const select = 'SELECT version FROM schema_version';
  const { rows } = await connection.query(select, [], patience(SHORT_STATEMENT_MS));
  return typeof rows[0]?.version === 'number' ? rows[0].version : null;
}

function checkVersion(version: number | null, known: number, name: string): number {
  if (version === null) throw refused(`${name} is a database of another program`);
  if (version <= known) return version;
  throw refused(
    `the database in ${name} is of version ${version}, ` +
      `this program knows up to version ${known}: use a newer catalog`,
  );
}

async function runStep(connection: Connection, step: Migration, name: string): Promise<void> {
  for (const statement of step.statements) {
    try {
      await connection.run(statement, patience(STATEMENT_MS));
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      const extension = createExtension.exec(statement)?.[1];
      if (extension !== undefined) {
        throw refused(
          `the database ${name} lacks the extension ${extension}, which cannot be created: ${error.message}${error.code === forbidden ? `; let a superuser run CREATE EXTENSION ${extension} in it` : ''}`,
          error,
        );
      }
      throw failureOf(step, error);
    }
  }
  try {
    await step.work?.(async (statement, params) => {
      return (await connection.query(statement, params, patience(STATEMENT_MS))).rows;
    });
  } catch (error) {
    throw error instanceof SqlError ? failureOf(step, error) : error;
  }
}

function failureOf({ name }: Migration, error: SqlError): Error {
  return new Error(`the migration "${name}" failed: ${error.message}`, { cause: error });
}

async function writeVersion(connection: Connection, version: number): Promise<void> {
  const create = 'CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)';
  await connection.run(`${create}; DELETE FROM schema_version`, patience(STATEMENT_MS));
  const insert = 'INSERT INTO schema_version (version) VALUES ($1)';
  await connection.query(insert, [version], patience(STATEMENT_MS));
}

function patience(ms: number): Patience {
  return { until: performance.now() + ms };
}
