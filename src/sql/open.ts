import type { Engine } from './engine.ts';
import { migrate } from './sqlite/migrate.ts';
import { migrations } from './sqlite/migrations/list.ts';
import { openSqlite } from './sqlite/open.ts';

/**
 * Opens the database, creating and migrating what is missing, with `readers` (2) connections that read. The one place
 * that chooses an engine. Throws refused() with a line that names the file when it cannot be used.
 */
export async function openDatabase(
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
