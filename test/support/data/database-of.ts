import { join } from 'node:path';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { openDatabase, openPostgres } from '../../../src/sql/engine/open.ts';

interface DatabaseLocation {
  /** Path of the data folder. */
  readonly data: string;
  /** URL of the database on a server, or "" if the database is in the data folder. */
  readonly database: string;
}

/** Opens the database of a running app with separate connections. */
export function openDatabaseOf({ data, database }: DatabaseLocation): Promise<Engine> {
  return database === '' ? openDatabase(join(data, 'catalog.db')) : openPostgres(database);
}

/**
 * Calls `work` with separate connections to the database of a running app, for changes that no API
 * offers.
 */
export async function withDatabaseOf<R>(
  app: DatabaseLocation,
  work: (engine: Engine) => Promise<R>,
): Promise<R> {
  const engine = await openDatabaseOf(app);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
