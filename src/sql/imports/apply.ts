import { type Kysely, sql } from 'kysely';
import type { ImportCounts } from '../../core/imports/ports.ts';
import type { Tables } from '../tables.ts';

type Database = Kysely<Tables>;

/**
 * Brings the catalogue to what the staged and matched rows say. A release shows what its first source says; fields
 * edited by hand stay as they are.
 */
export async function applyRows(
  trx: Database,
  source: { id: number; platformId: number; system: string },
): Promise<Omit<ImportCounts, 'rows'>> {
  await numberNewReleases(trx);
  await markDifferences(trx, source.id);
  const counts = await countRows(trx, source.id);
  await insertNew(trx, source);
  await updateChanged(trx, source.id);
  await rememberSource(trx, source.id);
  return counts;
}

async function numberNewReleases(trx: Database): Promise<void> {
  await sql`UPDATE stage_row SET how = 'new', release_id = numbered.id FROM (
      SELECT position, row_number() OVER (ORDER BY position)
        + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'release'), 0) AS id
      FROM stage_row WHERE release_id IS NULL
    ) AS numbered WHERE stage_row.position = numbered.position`.execute(trx);
}

/** Own rows that differ from what the source said before become 'changed' or 'renamed'. */
async function markDifferences(trx: Database, sourceId: number): Promise<void> {
  await sql`UPDATE stage_row SET how = CASE WHEN r.name = stage_row.name THEN 'changed' ELSE 'renamed' END
    FROM source_row AS r
    WHERE stage_row.how = 'own' AND r.source_id = ${sourceId} AND r.release_id = stage_row.release_id
      AND (r.name, r.region, r.serial, r.description, r.dump_sha1, r.dump_md5, r.dump_crc, r.roms_digest, r.gone)
        <> (stage_row.name, stage_row.region, stage_row.serial, stage_row.description, stage_row.dump_sha1,
          stage_row.dump_md5, stage_row.dump_crc, stage_row.roms_digest, 0)`.execute(trx);
}

async function countRows(trx: Database, sourceId: number): Promise<Omit<ImportCounts, 'rows'>> {
  const { rows } = await sql<{ how: string; count: number }>`
    SELECT how, count(*) AS count FROM stage_row GROUP BY how
    UNION ALL
    SELECT 'gone', count(*) FROM source_row
    WHERE source_id = ${sourceId} AND gone = 0
      AND release_id NOT IN (SELECT release_id FROM stage_row)`.execute(trx);
  const count = (...hows: string[]) =>
    rows.filter((row) => hows.includes(row.how)).reduce((sum, row) => sum + row.count, 0);
  return {
    releases: count('new', 'joined', 'changed', 'renamed', 'own'),
    new: count('new'),
    joined: count('joined'),
    changed: count('changed', 'renamed'),
    renamed: count('renamed'),
    unchanged: count('own'),
    gone: count('gone'),
  };
}

async function insertNew(
  trx: Database,
  source: { platformId: number; system: string },
): Promise<void> {
  await sql`INSERT INTO release (id, platform_id, system, name, region, serial, description)
    SELECT release_id, ${source.platformId}, ${source.system}, name, region, serial, description
    FROM stage_row WHERE how = 'new' ORDER BY release_id`.execute(trx);
  await copyRoms(trx, sql`how = 'new'`);
}

async function updateChanged(trx: Database, sourceId: number): Promise<void> {
  const changed = sql`how IN ('changed', 'renamed') AND NOT EXISTS (
    SELECT 1 FROM source_row AS earlier
    WHERE earlier.release_id = stage_row.release_id AND earlier.source_id < ${sourceId})`;
  const unlessEdited = (field: string) => sql`${sql.ref(field)} = CASE WHEN EXISTS (
      SELECT 1 FROM release_edit WHERE release_id = release.id AND field = ${field})
    THEN ${sql.ref(`release.${field}`)} ELSE ${sql.ref(`row.${field}`)} END`;
  await sql`UPDATE release SET
      ${unlessEdited('name')}, ${unlessEdited('region')}, ${unlessEdited('serial')},
      ${unlessEdited('description')}
    FROM (SELECT * FROM stage_row WHERE ${changed}) AS row
    WHERE release.id = row.release_id`.execute(trx);
  await sql`DELETE FROM rom WHERE release_id IN (
    SELECT release_id FROM stage_row WHERE ${changed})`.execute(trx);
  await copyRoms(trx, changed);
}

async function copyRoms(trx: Database, which: ReturnType<typeof sql>): Promise<void> {
  await sql`INSERT INTO rom (release_id, position, name, size, crc32, md5, sha1, serial)
    SELECT stage_row.release_id, rom.position, rom.name, rom.size, rom.crc32, rom.md5, rom.sha1, rom.serial
    FROM stage_row JOIN stage_rom AS rom ON rom.row_position = stage_row.position
    WHERE ${which} ORDER BY stage_row.position, rom.position`.execute(trx);
}

async function rememberSource(trx: Database, sourceId: number): Promise<void> {
  await sql`INSERT INTO source_row (source_id, release_id, name, region, serial, description,
      dump_sha1, dump_md5, dump_crc, roms_digest, gone)
    SELECT ${sourceId}, release_id, name, region, serial, description,
      dump_sha1, dump_md5, dump_crc, roms_digest, 0
    FROM stage_row WHERE how <> 'own' ORDER BY release_id
    ON CONFLICT (source_id, release_id) DO UPDATE SET
      name = excluded.name, region = excluded.region, serial = excluded.serial,
      description = excluded.description, dump_sha1 = excluded.dump_sha1, dump_md5 = excluded.dump_md5,
      dump_crc = excluded.dump_crc, roms_digest = excluded.roms_digest, gone = 0`.execute(trx);
  await sql`UPDATE source_row SET gone = 1
    WHERE source_id = ${sourceId} AND gone = 0
      AND release_id NOT IN (SELECT release_id FROM stage_row)`.execute(trx);
}
