import { type Kysely, sql } from 'kysely';
import { refused } from '../../core/shared/errors.ts';
import type { Engine } from '../engine/engine.ts';
import { copyBeforeUpgrade } from './copies/copy-before-upgrade.ts';
import { SqlError } from './errors.ts';

/**
 * One step from a schema version to the next. New steps may be added only at the end of the list.
 */
export interface Migration<Tables> {
  name: string;
  statements: string[] | ((trx: Kysely<Tables>) => Promise<void>);
}

const OTHER_PROCESS_MS = 5 * 60_000;

/**
 * Upgrades the database to the version `migrations.length`. Each step is one transaction. Before
 * the first step, a database that is not empty is copied (`copyBeforeUpgrade`). Several processes
 * may call this function at once; all but one wait, for up to 5 minutes. Throws refused() if the
 * database is newer or belongs to another program, or if the copy fails.
 */
export async function migrate<Tables>(
  database: Engine<Tables>,
  migrations: readonly Migration<Tables>[],
): Promise<void> {
  const known = migrations.length;
  // Reads the version without the write lock first, so that no process waits for the lock if the
  // database is up to date.
  let version = checkVersion(await findVersion(database.read), known, database.name);
  while (version < known) {
    version = await database.write(
      async (trx) => {
        // Another process may have upgraded the database meanwhile.
        const now = checkVersion(await findVersion(trx), known, database.name);
        const next = migrations[now];
        if (!next) return now;
        if (now > 0 && !(await isUpgradeRunning(trx))) await copyBeforeUpgrade(database, now);
        await runStep(trx, next);
        await writeVersion(trx, now + 1);
        await writeUpgradeFlag(trx, now + 1 < known);
        return now + 1;
      },
      // The transaction is idle while the database is copied.
      { busyMs: OTHER_PROCESS_MS, mayIdle: true },
    );
  }
}

/**
 * Returns the schema version of the database. Returns 0 if the database is empty, or null if the
 * database belongs to another program.
 */
export async function findVersion<Tables>(db: Kysely<Tables>): Promise<number | null> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table'
    order by name <> 'schema_version' limit 1`.execute(db);
  if (!tables[0]) return 0;
  if (tables[0].name !== 'schema_version') return null;
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(db);
  return rows[0]?.version ?? null;
}

function checkVersion(version: number | null, known: number, file: string): number {
  if (version === null) throw refused(`${file} is a database of another program`);
  if (version <= known) return version;
  throw refused(
    `the database in ${file} is of version ${version}, ` +
      `this program knows up to version ${known}: use a newer catalog`,
  );
}

async function runStep<Tables>(trx: Kysely<Tables>, step: Migration<Tables>): Promise<void> {
  try {
    if (typeof step.statements === 'function') return await step.statements(trx);
    for (const statement of step.statements) await sql.raw(statement).execute(trx);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    throw new Error(`the migration "${step.name}" failed: ${error.message}`, { cause: error });
  }
}

async function writeVersion<Tables>(trx: Kysely<Tables>, version: number): Promise<void> {
  await sql`create table if not exists schema_version (version integer not null) strict`.execute(
    trx,
  );
  await sql`delete from schema_version`.execute(trx);
  await sql`insert into schema_version (version) values (${version})`.execute(trx);
}

/**
 * Returns true if an upgrade has begun and some of its steps are not done. The process that began
 * the upgrade made the copy. Another copy would have an intermediate version and might replace a
 * better copy. The flag is stored in a field of the file's header.
 */
async function isUpgradeRunning<Tables>(trx: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(trx);
  return rows[0]?.user_version === 1;
}

async function writeUpgradeFlag<Tables>(trx: Kysely<Tables>, isRunning: boolean): Promise<void> {
  await sql`pragma user_version = ${sql.lit(isRunning ? 1 : 0)}`.execute(trx);
}
