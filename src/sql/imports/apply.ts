import { sql } from 'kysely';
import type { Database } from '../engine.ts';
import { addFilledSerials, serialForms } from './metadata.ts';
import type { Owner } from './owner.ts';
import { hashesOf } from './plan-rows.ts';
import type { Range } from './unfinished.ts';

/** Adds the new releases of a range with all that belongs to them but their hashes; touches no other release. */
export async function insertNew(trx: Database, owner: Owner, { from, to }: Range) {
  const inRange = sql`stage_row.release_id BETWEEN ${from} AND ${to}`;
  await sql`INSERT INTO release (id, platform_id, system, name, region, serial, description)
    SELECT stage_row.release_id, ${owner.platformId}, ${owner.system}, name, region,
      coalesce(fill_serial.value, serial), description
    FROM stage_row LEFT JOIN fill_serial USING (release_id)
    WHERE ${inRange} ORDER BY 1`.execute(trx);
  await copyRoms(
    trx,
    sql`SELECT position, release_id FROM stage_row WHERE ${inRange} ORDER BY release_id`,
  );
  await sql`INSERT INTO source_row (source_id, release_id, name, region, serial, description,
      dump_sha1, dump_md5, dump_crc, roms_digest, search, is_shown, gone)
    SELECT ${owner.sourceId}, release_id, name, region, serial, description,
      dump_sha1, dump_md5, dump_crc, roms_digest, search, 1, 0
    FROM stage_row WHERE ${inRange} ORDER BY release_id`.execute(trx);
  await sql`INSERT INTO release_serial (release_id, source_id, serial)
    SELECT release_id, ${owner.sourceId}, stage_serial.serial
    FROM stage_row CROSS JOIN stage_serial ON row_position = stage_row.position
    WHERE ${inRange} ORDER BY 1, 3`.execute(trx);
  await addFilledSerials(trx, sql`release_id BETWEEN ${from} AND ${to}`);
  await sql`INSERT INTO release_text (release_id, own, text)
    SELECT stage_row.release_id, '', search || coalesce(' ' || ${serialForms}, '')
    FROM stage_row LEFT JOIN fill_serial USING (release_id)
    WHERE ${inRange} ORDER BY 1`.execute(trx);
  await sql`INSERT INTO release_meta
      (release_id, title, manual, developer, publisher, genre, franchise, release_date)
    SELECT release_id, '', 0, developer, publisher, genre, franchise, release_date
    FROM fill WHERE release_id BETWEEN ${from} AND ${to} ORDER BY 1`.execute(trx);
}

/** Makes a range of `stage_hash` known. */
export async function insertHashes(trx: Database, { from, to }: Range): Promise<void> {
  await sql`INSERT OR IGNORE INTO rom_hash (hash, release_id)
    SELECT hash, release_id FROM stage_hash WHERE position BETWEEN ${from} AND ${to}
    ORDER BY position`.execute(trx);
}

/**
 * Brings the releases that were there before to what the planned rows say: a release shows what the source says that
 * brought it; fields edited by hand stay as they are.
 */
export async function applyChanges(trx: Database, { sourceId }: Owner): Promise<void> {
  const unlessEdited = (field: string) => sql`CASE WHEN EXISTS (
      SELECT 1 FROM release_edit AS e WHERE e.release_id = release.id AND e.field = ${field})
    THEN ${sql.ref(`release.${field}`)} ELSE ${sql.ref(`row.${field}`)} END`;
  // Not UPDATE FROM, which SQLite may take for a join that reads all releases for each row.
  await sql`UPDATE release SET (name, region, serial, description) = (
      SELECT ${unlessEdited('name')}, ${unlessEdited('region')}, ${unlessEdited('serial')},
        ${unlessEdited('description')}
      FROM stage_change CROSS JOIN stage_row AS row USING (position)
      WHERE stage_change.release_id = release.id)
    WHERE id IN (SELECT release_id FROM stage_change WHERE is_shown)`.execute(trx);
  await sql`DELETE FROM rom WHERE release_id IN (
    SELECT release_id FROM stage_change WHERE has_other_roms)`.execute(trx);
  const withOtherRoms = sql`SELECT position, release_id FROM stage_change WHERE has_other_roms`;
  await copyRoms(trx, withOtherRoms);
  await sql`INSERT OR IGNORE INTO rom_hash (hash, release_id) ${hashesOf(withOtherRoms)}`.execute(
    trx,
  );
  await sql`INSERT INTO source_row (source_id, release_id, name, region, serial, description,
      dump_sha1, dump_md5, dump_crc, roms_digest, search, is_shown, gone)
    SELECT ${sourceId}, stage_change.release_id, name, region, serial, description,
      dump_sha1, dump_md5, dump_crc, roms_digest, search, 0, 0
    FROM stage_change CROSS JOIN stage_row USING (position) WHERE true
    ON CONFLICT (source_id, release_id) DO UPDATE SET
      name = excluded.name, region = excluded.region, serial = excluded.serial,
      description = excluded.description, dump_sha1 = excluded.dump_sha1, dump_md5 = excluded.dump_md5,
      dump_crc = excluded.dump_crc, roms_digest = excluded.roms_digest, search = excluded.search, gone = 0`.execute(
    trx,
  );
  await sql`UPDATE source_row SET gone = 1
    WHERE source_id = ${sourceId} AND release_id IN (SELECT release_id FROM stage_gone)`.execute(
    trx,
  );
  await sql`DELETE FROM release_serial
    WHERE source_id = ${sourceId} AND release_id IN (SELECT release_id FROM stage_change)`.execute(
    trx,
  );
  await sql`INSERT INTO release_serial (release_id, source_id, serial)
    SELECT release_id, ${sourceId}, stage_serial.serial
    FROM stage_change CROSS JOIN stage_serial ON row_position = stage_change.position
    WHERE true ORDER BY 1, 3`.execute(trx);
}

/** Makes releases that were there before found by what is now said of them; `applyFills` came before. */
export async function indexChanges(trx: Database, firstNew: number): Promise<void> {
  await sql`UPDATE release_text SET text = own
      || coalesce(' ' || (
        SELECT group_concat(search, ' ' ORDER BY source_id) FROM source_row
        WHERE source_row.release_id = release_text.release_id), '')
      || coalesce(' ' || (
        SELECT lower(release.serial) || ' ' || group_concat(lower(release_serial.serial), ' ')
        FROM release JOIN release_serial ON release_id = release.id AND source_id = 0
        WHERE release.id = release_text.release_id), '')
    WHERE release_id IN (
      SELECT release_id FROM stage_change
      UNION SELECT release_id FROM fill_serial WHERE release_id < ${firstNew})`.execute(trx);
}

async function copyRoms(trx: Database, rows: ReturnType<typeof sql>): Promise<void> {
  await sql`INSERT INTO rom (release_id, position, name, size, crc32, md5, sha1, serial)
    SELECT row.release_id, rom.position, rom.name, coalesce(rom.size, 0), rom.crc32, rom.md5, rom.sha1, rom.serial
    FROM (${rows}) AS row CROSS JOIN stage_rom AS rom ON rom.row_position = row.position
    WHERE true`.execute(trx);
}
