import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/**
 * Removes releases of a source that no source lists any more, that nobody edited, that the library has no file of and
 * that are not to be kept. Returns how many.
 */
export async function pruneGone(
  trx: Kysely<Tables>,
  sourceId: number,
  keep: ReadonlySet<number>,
): Promise<number> {
  const result = await sql`DELETE FROM release
    WHERE id IN (SELECT release_id FROM source_row WHERE source_id = ${sourceId} AND gone = 1)
      AND NOT EXISTS (SELECT 1 FROM source_row AS r WHERE r.release_id = release.id AND r.gone = 0)
      AND NOT EXISTS (SELECT 1 FROM release_edit AS e WHERE e.release_id = release.id)
      AND NOT EXISTS (SELECT 1 FROM library_file AS f WHERE f.release_id = release.id)
      AND id NOT IN (SELECT value FROM json_each(${JSON.stringify([...keep])}))`.execute(trx);
  return Number(result.numAffectedRows ?? 0);
}
