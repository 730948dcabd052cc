import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

type Database = Kysely<Tables>;

/**
 * Brings the catalogue to what the staged and matched rows say. A release shows what the source says that brought it;
 * fields edited by hand stay as they are. Leaves the ids of what it touched in the TEMP table `affected`.
 */
export async function applyRows(
  trx: Database,
  source: { id: number; platformId: number; system: string },
): Promise<void> {
  await insertNew(trx, source);
  await updateChanged(trx, source.id);
  await rememberSource(trx, source.id);
  await indexForSearch(trx, source.id);
}

/** Decides what becomes of every row: `how` is new, joined, changed, renamed or own (unchanged). */
export async function decideRows(trx: Database, sourceId: number): Promise<void> {
  await numberNewReleases(trx);
  await markDifferences(trx, sourceId);
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

async function insertNew(
  trx: Database,
  source: { platformId: number; system: string },
): Promise<void> {
  await sql`INSERT INTO release (id, platform_id, system, name, region, serial, description)
    SELECT release_id, ${source.platformId}, ${source.system}, name, region, serial, description
    FROM stage_row WHERE how = 'new' ORDER BY release_id`.execute(trx);
  await copyRoms(trx, sql`how = 'new'`);
}

/** Whether the release of a `stage_row` shows what this source says. */
export function isShown(sourceId: number) {
  return sql`EXISTS (
    SELECT 1 FROM source_row AS own
    WHERE own.source_id = ${sourceId} AND own.release_id = stage_row.release_id AND own.is_shown)`;
}

async function updateChanged(trx: Database, sourceId: number): Promise<void> {
  const changed = sql`how IN ('changed', 'renamed') AND ${isShown(sourceId)}`;
  const unlessEdited = (field: string) => sql`${sql.ref(field)} = CASE WHEN EXISTS (
      SELECT 1 FROM release_edit WHERE release_id = release.id AND field = ${field})
    THEN ${sql.ref(`release.${field}`)} ELSE ${sql.ref(`row.${field}`)} END`;
  await sql`UPDATE release SET
      ${unlessEdited('name')}, ${unlessEdited('region')}, ${unlessEdited('serial')},
      ${unlessEdited('description')}
    FROM (SELECT * FROM stage_row WHERE ${changed}) AS row
    WHERE release.id = row.release_id`.execute(trx);
  const withOtherRoms = sql`${changed} AND EXISTS (
    SELECT 1 FROM source_row AS own
    WHERE own.source_id = ${sourceId} AND own.release_id = stage_row.release_id
      AND (own.roms_digest, own.serial) <> (stage_row.roms_digest, stage_row.serial))`;
  await sql`DELETE FROM rom WHERE release_id IN (
    SELECT release_id FROM stage_row WHERE ${withOtherRoms})`.execute(trx);
  await copyRoms(trx, withOtherRoms);
}

async function copyRoms(trx: Database, which: ReturnType<typeof sql>): Promise<void> {
  await sql`INSERT INTO rom (release_id, position, name, size, crc32, md5, sha1, serial)
    SELECT stage_row.release_id, rom.position, rom.name, coalesce(rom.size, 0), rom.crc32, rom.md5, rom.sha1, rom.serial
    FROM stage_row JOIN stage_rom AS rom ON rom.row_position = stage_row.position
    WHERE ${which} ORDER BY stage_row.position, rom.position`.execute(trx);
}

async function rememberSource(trx: Database, sourceId: number): Promise<void> {
  await sql`INSERT INTO source_row (source_id, release_id, name, region, serial, description,
      dump_sha1, dump_md5, dump_crc, roms_digest, search, is_shown, gone)
    SELECT ${sourceId}, release_id, name, region, serial, description,
      dump_sha1, dump_md5, dump_crc, roms_digest, search, how = 'new', 0
    FROM stage_row WHERE how <> 'own' ORDER BY release_id
    ON CONFLICT (source_id, release_id) DO UPDATE SET
      name = excluded.name, region = excluded.region, serial = excluded.serial,
      description = excluded.description, dump_sha1 = excluded.dump_sha1, dump_md5 = excluded.dump_md5,
      dump_crc = excluded.dump_crc, roms_digest = excluded.roms_digest, search = excluded.search, gone = 0`.execute(
    trx,
  );
  await sql`UPDATE source_row SET gone = 1
    WHERE source_id = ${sourceId} AND gone = 0
      AND release_id NOT IN (SELECT release_id FROM stage_row)`.execute(trx);
}

async function indexForSearch(trx: Database, sourceId: number): Promise<void> {
  await sql`CREATE TEMP TABLE affected AS
    SELECT release_id FROM stage_row WHERE how <> 'own'`.execute(trx);
  await sql`CREATE UNIQUE INDEX temp.affected_by_release ON affected (release_id)`.execute(trx);
  await sql`DELETE FROM release_serial
    WHERE source_id = ${sourceId} AND release_id IN (
      SELECT release_id FROM stage_row WHERE how IN ('changed', 'renamed'))`.execute(trx);
  await sql`INSERT OR IGNORE INTO release_serial (release_id, source_id, serial)
    SELECT stage_row.release_id, ${sourceId}, stage_serial.serial
    FROM stage_serial JOIN stage_row ON stage_row.position = stage_serial.row_position
    WHERE how <> 'own' ORDER BY 1, 3`.execute(trx);
  await sql`INSERT INTO release_text (release_id, own, text)
    SELECT release_id, '', group_concat(search, ' ') FROM source_row
    WHERE release_id IN (SELECT release_id FROM affected) GROUP BY release_id
    ON CONFLICT (release_id) DO UPDATE SET text = own || ' ' || excluded.text`.execute(trx);
}
