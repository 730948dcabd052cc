import { type RawBuilder, sql } from 'kysely';
import type { Range } from './parts.ts';
import type { StagingDatabase } from './staging-run.ts';

/**
 * Collects what new releases are looked up by, sorted, so that it can be written in the order of its index. Reads
 * `new_release` and `staged_rom`; writes `new_hash`, of which it returns the range.
 */
export async function planHashes(db: StagingDatabase): Promise<Range> {
  // ROMs are read in the order in which they lie there.
  const { numAffectedRows } = await sql`
    WITH by_position AS MATERIALIZED (
      SELECT release_id, position FROM ${sql.table('new_release')} ORDER BY position)
    INSERT INTO ${sql.table('new_hash')} (hash, release_id)
    ${hashesOf(db, sql.table('by_position'))} ORDER BY 1, 2`.execute(db);
  return { from: 1, to: Number(numAffectedRows ?? 0) };
}

/**
 * What the staged ROMs of releases are looked up by, as a query of `hash` and `release_id`: SHA-1, MD5, and
 * crc32:size. `releases` has the columns `release_id` and `position`. What ROMs share comes repeatedly.
 */
export function hashesOf(db: StagingDatabase, releases: RawBuilder<unknown>): RawBuilder<unknown> {
  const { joinInOrder } = db.dialect;
  // One query for the three kinds, so that they are sorted together.
  const hash = sql`CASE kinds.kind WHEN 1 THEN rom.sha1 WHEN 2 THEN rom.md5
    ELSE nullif(rom.crc32, '') || ':' || CAST(rom.size AS text) END`;
  return sql`SELECT ${hash} AS hash, listed.release_id
    FROM ${releases} AS listed
    ${joinInOrder} ${sql.table('staged_rom')} AS rom ON rom.row_position = listed.position
    ${joinInOrder} (SELECT 1 AS kind UNION ALL SELECT 2 UNION ALL SELECT 3) AS kinds ON true
    WHERE ${hash} <> ''`;
}
