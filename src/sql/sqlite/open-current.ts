import { checkCurrent } from '../engine/check-current.ts';
import type { Engine } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';
import { findVersion, migrate } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import { openSqlite } from './open.ts';

/** The schema version of this program. */
export const currentVersion = migrations.length;

/**
 * Opens the database file with at most `readers` (default 3) reading connections. Creates the file
 * if it does not exist, and upgrades a database of an older version. Throws refused() if the file
 * cannot be used, or if it has an older version and `mustBeCurrent` is set; the message names the
 * file.
 */
export async function openCurrent(
  file: string,
  { mustBeCurrent = false, ...options }: { readers?: number; mustBeCurrent?: boolean } = {},
): Promise<Engine> {
  const engine = await openSqlite(file, { ...options, create: true });
  try {
    if (mustBeCurrent) {
      checkCurrent(
        await findVersion<Tables>(engine.read),
        currentVersion,
        `the database in ${file}`,
      );
    }
    await migrate(engine, migrations);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}
