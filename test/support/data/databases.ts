import { test } from 'vitest';
import { makeClone } from '../postgres/clones.ts';
import { installations } from '../postgres/installations.ts';

export interface TestedDatabase {
  readonly name: string;
  /**
   * Creates the database of a new catalogue. Returns its URL, or "" if the database is in the data
   * folder.
   */
  make(): Promise<{ databaseUrl: string; drop(): Promise<void> }>;
}

const sqliteInDataFolder: TestedDatabase = {
  name: 'SQLite',
  make: async () => ({ databaseUrl: '', drop: async () => {} }),
};

/**
 * Creates the database of an API suite in the data folder. With `TESTED_DATABASE=postgres`, creates
 * it on the newest PostgreSQL. Throws if PostgreSQL is not available.
 */
export async function makeSuiteDatabase(): ReturnType<TestedDatabase['make']> {
  if (process.env.TESTED_DATABASE !== 'postgres') return sqliteInDataFolder.make();
  const newest = installations.find(({ skipReason }) => skipReason === null);
  if (newest === undefined) throw new Error('there is no PostgreSQL');
  return makeClone(newest);
}

/**
 * Returns the databases for tests of programs: SQLite and PostgreSQL 18. If PostgreSQL is not
 * available, defines a skipped test and returns only SQLite.
 */
export function testedDatabases(): TestedDatabase[] {
  const newest = installations.find(({ version }) => version === '18');
  if (newest === undefined) throw new Error('no PostgreSQL 18 is known');
  const { version, skipReason } = newest;
  if (skipReason !== null) {
    test.skip(`PostgreSQL ${version} (${skipReason})`);
    return [sqliteInDataFolder];
  }
  return [sqliteInDataFolder, { name: `PostgreSQL ${version}`, make: () => makeClone(newest) }];
}
