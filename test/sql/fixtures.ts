import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { migrate } from '../../src/sql/sqlite/migrate.ts';
import { migrations } from '../../src/sql/sqlite/migrations/list.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import { dumpDatabase, restoreDatabase } from './dump.ts';

const folder = join(import.meta.dirname, 'fixtures');

/**
 * The first version with a fixture. A program of this version wrote rows, including unusual ones,
 * to every table.
 */
export const firstVersion = 6;

/** All versions from `firstVersion` to the version of this program. */
export const versions = Array.from(
  { length: migrations.length - firstVersion + 1 },
  (_, index) => firstVersion + index,
);

/** Returns the path of a version's fixture: a database of this version, as SQL. */
export function fixtureFile(version: number): string {
  return join(folder, `version-${version}.sql`);
}

export function readFixture(version: number): string {
  return readFileSync(fixtureFile(version), 'utf8');
}

/**
 * Returns the expected fixture of a version, which is the previous fixture upgraded by one step. If
 * `added-<version>.sql` exists, its rows for new tables are added.
 */
export async function makeFixture(version: number): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'catalog-fixture-'));
  try {
    const file = join(work, 'catalog.db');
    restoreDatabase(file, readFixture(version - 1));
    const engine = await openSqlite(file);
    await migrate(engine, migrations.slice(0, version)).finally(() => engine.close());
    const added = join(folder, `added-${version}.sql`);
    if (existsSync(added)) run(file, readFileSync(added, 'utf8'));
    return dumpDatabase(file);
  } finally {
    rmSync(work, { recursive: true });
  }
}

function run(file: string, statements: string): void {
  const database = new Database(file);
  try {
    database.exec(statements);
  } finally {
    database.close();
  }
}
