import { sql } from 'kysely';
import { filledFields, ownFields } from '../../core/shared/release-fields.ts';
import { columns } from './columns.ts';
import { copyRoms } from './copy-roms.ts';
import type { Owner } from './owner.ts';
import type { Range } from './parts.ts';
import type { StagingDatabase } from './staging-run.ts';
import { saidColumns } from './staging-tables.ts';

/**
 * Adds the new releases of a range with all that belongs to them but their hashes; touches no other release. Reads
 * `new_release`, the staged rows, ROMs and serials, and what is filled.
 */
export async function insertNew(
  trx: StagingDatabase,
  { platformId, source }: Owner,
  range: Range,
): Promise<void> {
  if (source === null) return;
  const { joinInOrder } = trx.dialect;
  const isInRange = sql`added.release_id BETWEEN ${range.from} AND ${range.to}`;
  const added = sql`${sql.table('new_release')} AS added`;
  const rows = sql`${added}
    ${joinInOrder} ${sql.table('staged_row')} AS staged ON staged.position = added.position`;
  const withSerial = sql`${rows} LEFT JOIN ${sql.table('filled_serial')} AS filled
    ON filled.release_id = added.release_id`;
  const shown = ownFields.map((field) => {
    const said = sql.ref(`staged.${field}`);
    return field === 'serial' ? sql`coalesce(filled.value, ${said})` : said;
  });
  await sql`INSERT INTO release (id, platform_id, system, ${columns(ownFields)})
    SELECT added.release_id, ${platformId}, ${source.system}, ${sql.join(shown)}
    FROM ${withSerial} WHERE ${isInRange} ORDER BY added.release_id`.execute(trx);
  await copyRoms(
    trx,
    sql`SELECT position, release_id FROM ${added} WHERE ${isInRange} ORDER BY release_id`,
  );
  await sql`INSERT INTO source_row (source_id, release_id, ${columns(saidColumns)}, is_shown, gone)
    SELECT ${source.id}, added.release_id, ${columns(saidColumns, 'staged')}, true, false
    FROM ${rows} WHERE ${isInRange} ORDER BY added.release_id`.execute(trx);
  await sql`INSERT INTO release_serial (release_id, source_id, serial)
    SELECT added.release_id, ${source.id}, staged.serial
    FROM ${added} ${joinInOrder} ${sql.table('staged_serial')} AS staged
      ON staged.row_position = added.position
    WHERE ${isInRange} ORDER BY added.release_id, staged.serial`.execute(trx);
  await sql`INSERT INTO release_serial (release_id, source_id, serial)
    SELECT added.release_id, 0, added.serial FROM ${sql.table('filled_serial_form')} AS added
    WHERE ${isInRange} ORDER BY added.release_id, added.serial`.execute(trx);
  await sql`INSERT INTO release_text (release_id, own, filled, text)
    SELECT added.release_id, '', coalesce(filled.search, ''),
      staged.search || coalesce(' ' || filled.search, '')
    FROM ${withSerial} WHERE ${isInRange} ORDER BY added.release_id`.execute(trx);
  await sql`INSERT INTO release_meta (release_id, title, manual, ${columns(filledFields)})
    SELECT added.release_id, '', false, ${columns(filledFields)}
    FROM ${sql.table('filled_metadata')} AS added
    WHERE ${isInRange} ORDER BY added.release_id`.execute(trx);
}

/** Makes releases found by a range of `new_hash`. */
export async function insertHashes(trx: StagingDatabase, { from, to }: Range): Promise<void> {
  await sql`INSERT INTO rom_hash (hash, release_id)
    SELECT hash, release_id FROM ${sql.table('new_hash')}
    WHERE position BETWEEN ${from} AND ${to} ORDER BY position
    ON CONFLICT DO NOTHING`.execute(trx);
}
