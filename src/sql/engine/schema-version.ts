import { sql } from 'kysely';
import type { Engine } from './engine.ts';

/**
 * Returns the version of the schema that the database has now. A newer program may have upgraded it
 * since this program opened it. Returns null if the database no longer has a version.
 */
export async function readSchemaVersion({ read }: Pick<Engine, 'read'>): Promise<number | null> {
  const select = sql<{ version: number }>`SELECT version FROM schema_version`;
  const { rows } = await select.execute(read);
  return rows[0]?.version ?? null;
}
