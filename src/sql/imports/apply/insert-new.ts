import { sql } from 'kysely';
import { filledFields, ownFields } from '../../../core/shared/release-fields.ts';
import { columns } from '../stage/columns.ts';
import type { StagingDatabase } from '../stage/staging-run.ts';
import { romColumns, statedColumns } from '../stage/staging-tables.ts';
import type { Range } from './import-batches.ts';
import type { Owner } from './import-source.ts';

/**
 * Inserts the new releases of an id range with all their data except hashes. Other releases are
 * unchanged. Reads `new_release`, `new_rom`, `new_serial` and the tables of filled values.
 */
export async function insertNew(
  trx: StagingDatabase,
  { platformId, source, revision }: Owner,
  range: Range,
): Promise<void> {
  if (source === null) return;
  const isInRange = sql`added.release_id BETWEEN ${range.from} AND ${range.to}`;
  const added = sql`${sql.table('new_release')} AS added`;
  const addedWithSerial = sql`${added} LEFT JOIN ${sql.table('filled_serial')} AS filled
    ON filled.release_id = added.release_id`;
  const shown = ownFields.map((field) => {
    const stated = sql.ref(`added.${field}`);
    return field === 'serial' ? sql`coalesce(filled.value, ${stated})` : stated;
  });
  await trx.runAll([
    sql`INSERT INTO release
        (id, platform_id, system, revision, clone_group, kinds, ${columns(ownFields)})
      SELECT added.release_id, ${platformId}, ${source.system}, ${revision},
        added.clone_group, added.kinds, ${sql.join(shown)}
      FROM ${addedWithSerial} WHERE ${isInRange} ORDER BY added.release_id`,
    sql`INSERT INTO rom (release_id, position, ${columns(romColumns)})
      SELECT release_id, position, ${columns(romColumns)}
      FROM ${sql.table('new_rom')} AS added
      WHERE ${isInRange} ORDER BY release_id, position`,
    sql`INSERT INTO source_row (source_id, release_id, ${columns(statedColumns)}, is_shown, gone)
      SELECT ${source.id}, release_id, ${columns(statedColumns)}, true, false
      FROM ${added} WHERE ${isInRange} ORDER BY release_id`,
    sql`INSERT INTO release_serial (release_id, source_id, serial)
      SELECT release_id, ${source.id}, serial FROM ${sql.table('new_serial')} AS added
      WHERE ${isInRange} ORDER BY release_id, serial`,
    sql`INSERT INTO release_serial (release_id, source_id, serial)
      SELECT release_id, 0, serial FROM ${sql.table('filled_serial_form')} AS added
      WHERE ${isInRange} ORDER BY release_id, serial`,
    sql`INSERT INTO release_text (release_id, own, filled, text)
      SELECT added.release_id, '', coalesce(filled.search, ''),
        added.search || coalesce(' ' || filled.search, '')
      FROM ${addedWithSerial} WHERE ${isInRange} ORDER BY added.release_id`,
    sql`INSERT INTO release_meta (release_id, title, manual, ${columns(filledFields)})
      SELECT release_id, '', false, ${columns(filledFields)}
      FROM ${sql.table('filled_metadata')} AS added
      WHERE ${isInRange} ORDER BY release_id`,
  ]);
}

/**
 * Inserts a range of the planned lookup hashes, which match files with the new releases. Reads
 * `new_hash`.
 */
export async function insertHashes(trx: StagingDatabase, { from, to }: Range): Promise<void> {
  const hashes = sql`SELECT hash, release_id FROM ${sql.table('new_hash')}
    WHERE position BETWEEN ${from} AND ${to} ORDER BY position`;
  await trx.dialect.insertAbsent(sql`rom_hash (hash, release_id)`, hashes).execute(trx);
}
