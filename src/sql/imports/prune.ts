import { sql } from 'kysely';
import type { Database } from '../engine.ts';
import type { Pruned } from './report.ts';

/** More than of other kinds: what is removed cannot be looked up later. */
const mostNamed = 1_000;

export const nothingPruned: Pruned = { count: 0, names: [] };

/**
 * Finds the releases of a source that no source lists any more, that nobody edited, that the library has no file of and
 * that are not to be kept; leaves them in the TEMP table `prune`.
 */
export async function planPrune(
  db: Database,
  sourceId: number,
  keep: ReadonlySet<number>,
): Promise<Pruned> {
  await sql`INSERT INTO prune
    SELECT NULL, release.id, release.name
    FROM source_row JOIN release ON release.id = source_row.release_id
    WHERE source_id = ${sourceId}
      AND NOT EXISTS (SELECT 1 FROM stage_row WHERE stage_row.release_id = source_row.release_id)
      AND NOT EXISTS (SELECT 1 FROM source_row AS r
        WHERE r.release_id = release.id AND r.source_id <> ${sourceId} AND r.gone = 0)
      AND ${isUnused}
      AND release.id NOT IN (SELECT value FROM json_each(${JSON.stringify([...keep])}))
    ORDER BY release.name, release.id`.execute(db);
  return told(db);
}

/** Removes what was planned, but for what came into use since. */
export async function prune(trx: Database): Promise<Pruned> {
  await sql`DELETE FROM prune WHERE release_id IN (
    SELECT release_id FROM prune JOIN release ON release.id = release_id WHERE NOT (${isUnused}))`.execute(
    trx,
  );
  await sql`DELETE FROM release WHERE id IN (SELECT release_id FROM prune)`.execute(trx);
  return told(trx);
}

const isUnused = sql`NOT EXISTS (SELECT 1 FROM release_edit AS e WHERE e.release_id = release.id)
  AND NOT EXISTS (SELECT 1 FROM library_file AS f WHERE f.release_id = release.id)`;

async function told(db: Database): Promise<Pruned> {
  const counted = await sql<{ count: number }>`SELECT count(*) AS count FROM prune`.execute(db);
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM prune ORDER BY position LIMIT ${mostNamed}`.execute(db);
  return { count: counted.rows[0]?.count ?? 0, names: rows.map(({ name }) => name) };
}
