import type { Engine } from '../engine.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import { openSqlite } from './open.ts';

/** The schema version of this program. */
export const currentVersion = migrations.length;

/**
 * Opens the database `file` with at most `readers` (3) reading connections, after creating it or
 * upgrading it to this program's version. Throws refused() with a line that names the file when it
 * cannot be used.
 */
export async function openCurrent(
  file: string,
  options: { readers?: number } = {},
): Promise<Engine> {
  const engine = await openSqlite(file, { ...options, create: true });
  try {
    await migrate(engine, migrations);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}
