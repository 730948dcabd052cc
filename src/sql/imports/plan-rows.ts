import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../engine.ts';

/**
 * Decides what becomes of every matched row: `how` is new, joined, changed, renamed or own (unchanged). New releases
 * get the ids from `firstNew` on. Leaves what changes in `stage_change`, what the source no longer lists in `stage_gone`,
 * and what the new releases are looked up by, in order and numbered from 1, in `stage_hash`.
 */
export async function planRows(
  db: Database,
  sourceId: number,
): Promise<{ firstNew: number; newCount: number; hashCount: number }> {
  const { rows } = await sql<{ last: number }>`
    SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'release'), 0) AS last`.execute(
    db,
  );
  const firstNew = (rows[0]?.last ?? 0) + 1;
  const numbered = await sql`UPDATE stage_row SET how = 'new', release_id = numbered.id FROM (
      SELECT position, row_number() OVER (ORDER BY position) - 1 + ${firstNew} AS id
      FROM stage_row WHERE release_id IS NULL
    ) AS numbered WHERE stage_row.position = numbered.position`.execute(db);
  await markDifferences(db, sourceId);
  await collectChanges(db, sourceId);
  const hashCount = await collectHashes(db);
  return { firstNew, newCount: Number(numbered.numAffectedRows ?? 0), hashCount };
}

/** Own rows that differ from what the source said before become 'changed' or 'renamed'. */
async function markDifferences(db: Database, sourceId: number): Promise<void> {
  await sql`UPDATE stage_row SET how = CASE WHEN r.name = stage_row.name THEN 'changed' ELSE 'renamed' END
    FROM source_row AS r
    WHERE stage_row.how = 'own' AND r.source_id = ${sourceId} AND r.release_id = stage_row.release_id
      AND (r.name, r.region, r.serial, r.description, r.dump_sha1, r.dump_md5, r.dump_crc, r.roms_digest, r.gone)
        <> (stage_row.name, stage_row.region, stage_row.serial, stage_row.description, stage_row.dump_sha1,
          stage_row.dump_md5, stage_row.dump_crc, stage_row.roms_digest, 0)`.execute(db);
}

async function collectChanges(db: Database, sourceId: number): Promise<void> {
  await sql`INSERT INTO stage_change
    SELECT s.release_id, s.position, coalesce(own.is_shown, 0),
      coalesce(own.is_shown AND (own.roms_digest, own.serial) <> (s.roms_digest, s.serial), 0)
    FROM stage_row AS s
    LEFT JOIN source_row AS own ON own.source_id = ${sourceId} AND own.release_id = s.release_id
    WHERE s.how IN ('joined', 'changed', 'renamed') ORDER BY 1`.execute(db);
  await sql`INSERT INTO stage_gone
    SELECT release_id, name FROM source_row
    WHERE source_id = ${sourceId} AND gone = 0
      AND NOT EXISTS (SELECT 1 FROM stage_row WHERE stage_row.release_id = source_row.release_id)
    ORDER BY release_id`.execute(db);
}

/** The limit keeps SQLite from sorting each kind for itself, in three times the memory. */
async function collectHashes(db: Database): Promise<number> {
  const result = await sql`INSERT INTO stage_hash
    SELECT NULL, hash, release_id
    FROM (${hashesOf(sql`SELECT release_id, position FROM stage_row WHERE how = 'new'`)} LIMIT -1)
    ORDER BY hash, release_id`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** What the staged ROMs of rows are looked up by: sha1, md5, and crc32:size. What ROMs share comes repeatedly. */
export function hashesOf(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  const kinds = ['rom.sha1', 'rom.md5', `nullif(rom.crc32, '') || ':' || coalesce(rom.size, 0)`];
  const hashes = kinds.map(
    (hash) => sql`SELECT ${sql.raw(hash)} AS hash, row.release_id FROM (${rows}) AS row
      CROSS JOIN stage_rom AS rom ON rom.row_position = row.position
      WHERE ${sql.raw(hash)} <> ''`,
  );
  return sql.join(hashes, sql` UNION ALL `);
}
