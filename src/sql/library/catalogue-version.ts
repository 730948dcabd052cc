import { sql } from 'kysely';
import type { Database } from '../engine/engine.ts';

/**
 * Returns a version of the catalogue. Every import and every edit of a release changes the version.
 */
export async function catalogueVersion(db: Database): Promise<string> {
  const { rows } = await sql<{ imported: number | null; edited: number | null }>`
    SELECT (SELECT max(id) FROM import) AS imported,
      (SELECT max(id) FROM audit WHERE action = 'release.edit') AS edited`.execute(db);
  return `${rows[0]?.imported ?? 0}-${rows[0]?.edited ?? 0}`;
}
