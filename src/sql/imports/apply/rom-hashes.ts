import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../engine/engine.ts';

/**
 * Returns a query for the lookup hashes of ROMs, with the columns `hash` and `release_id`. Each ROM
 * has up to three hashes: SHA-1, MD5 and `crc32:size`. A hash that several ROMs share appears
 * several times. `roms` is a table or query with the columns of `rom`.
 */
export function hashesOf(
  { dialect }: Pick<Database, 'dialect'>,
  roms: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // A single query returns all three kinds of hash, so that all hashes are sorted together.
  const hash = sql`CASE kinds.kind WHEN 1 THEN rom.sha1 WHEN 2 THEN rom.md5
    ELSE nullif(rom.crc32, '') || ':' || CAST(rom.size AS text) END`;
  return sql`SELECT ${hash} AS hash, rom.release_id
    FROM ${roms} AS rom
    ${dialect.joinInOrder} (SELECT 1 AS kind UNION ALL SELECT 2 UNION ALL SELECT 3) AS kinds ON true
    WHERE ${hash} <> ''`;
}
