import { join } from 'node:path';
import type { Engine } from '../../src/sql/engine.ts';
import { openDatabase, openPostgres } from '../../src/sql/open.ts';

interface DatabaseOf {
  /** The data folder. */
  readonly data: string;
  /** The address of the database on a server; "" where it lies in the data folder. */
  readonly database: string;
}

/** Opens the database of an app that runs once more. */
export function openDatabaseOf({ data, database }: DatabaseOf): Promise<Engine> {
  return database === '' ? openDatabase(join(data, 'catalog.db')) : openPostgres(database);
}

/** Has `work` use the database of an app that runs, on connections of its own: for what no API does. */
export async function withDatabaseOf<R>(
  app: DatabaseOf,
  work: (engine: Engine) => Promise<R>,
): Promise<R> {
  const engine = await openDatabaseOf(app);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
