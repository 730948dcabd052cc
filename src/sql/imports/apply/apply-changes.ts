import { type RawBuilder, sql } from 'kysely';
import { type OwnField, ownFields } from '../../../core/shared/release-fields.ts';
import type { Dialect } from '../../engine/dialect.ts';
import { isEdited } from '../plan/precedence.ts';
import { columns } from '../stage/columns.ts';
import type { StagingDatabase } from '../stage/staging-run.ts';
import { romColumns, statedColumns } from '../stage/staging-tables.ts';
import { hashesOf } from './rom-hashes.ts';

/**
 * Returns the statements that apply the changes in the file to existing releases. Records the
 * source's new data for each of these releases. If a release shows this source, the release itself
 * also gets the new values. Reads `changed_release`, `gone_release` and all staged rows, ROMs and
 * serials.
 */
export function applyChanges(
  { dialect }: Pick<StagingDatabase, 'dialect'>,
  sourceId: number,
): RawBuilder<unknown>[] {
  return [
    showTexts(dialect),
    ...replaceRoms(dialect),
    storeRows(dialect, sourceId),
    regroup(),
    markGone(sourceId),
    ...replaceSerials(dialect, sourceId),
  ];
}

const changed = sql`${sql.table('changed_release')} AS changed`;

function showTexts(dialect: Dialect): RawBuilder<unknown> {
  const unlessEdited = (column: string, field: OwnField) => {
    const [now, stated] = [sql.ref(`release.${column}`), sql.ref(`staged.${column}`)];
    return sql`CASE WHEN ${isEdited(sql.ref('release.id'), field)} THEN ${now} ELSE ${stated} END`;
  };
  const shown = ownFields.map((field) => unlessEdited(field, field));
  // Uses a subquery instead of UPDATE FROM, because the planner may turn UPDATE FROM into a join
  // that reads all releases for each row.
  return sql`UPDATE release SET (${columns(ownFields)}, kinds) = (
      SELECT ${sql.join(shown)}, ${unlessEdited('kinds', 'name')} FROM ${changed}
      ${dialect.joinInOrder} ${sql.table('staged_row')} AS staged
        ON staged.position = changed.position
      WHERE changed.release_id = release.id)
    WHERE id IN (SELECT release_id FROM ${changed} WHERE is_shown)`;
}

function replaceRoms(dialect: Dialect): RawBuilder<unknown>[] {
  const roms = sql`SELECT changed.release_id, staged.position, ${columns(romColumns, 'staged')}
    FROM ${changed} ${dialect.joinInOrder} ${sql.table('staged_rom')} AS staged
      ON staged.row_position = changed.position
    WHERE changed.has_other_roms`;
  return [
    sql`DELETE FROM rom WHERE release_id IN (
      SELECT release_id FROM ${changed} WHERE has_other_roms)`,
    sql`INSERT INTO rom (release_id, position, ${columns(romColumns)}) ${roms} ORDER BY 1, 2`,
    dialect.insertAbsent(sql`rom_hash (hash, release_id)`, hashesOf({ dialect }, sql`(${roms})`)),
  ];
}

function storeRows(dialect: Dialect, sourceId: number): RawBuilder<unknown> {
  const sets = statedColumns.map((name) => sql`${sql.id(name)} = ${sql.ref(`excluded.${name}`)}`);
  return sql`INSERT INTO source_row (source_id, release_id, ${columns(statedColumns)}, is_shown, gone)
    SELECT ${sourceId}, changed.release_id, ${columns(statedColumns, 'staged')}, false, false
    FROM ${changed}
    ${dialect.joinInOrder} ${sql.table('staged_row')} AS staged
      ON staged.position = changed.position
    WHERE true
    ON CONFLICT (source_id, release_id) DO UPDATE SET ${sql.join(sets)}, gone = false`;
}

/**
 * Sets the group that the sources state for each changed release. If sources state several groups,
 * the first by name is used, so that the order of imports does not matter.
 */
function regroup(): RawBuilder<unknown> {
  const stated = sql`coalesce((SELECT min(said.clone_group) FROM source_row AS said
    WHERE said.release_id = release.id AND said.clone_group <> ''), '')`;
  return sql`UPDATE release SET clone_group = ${stated}
    WHERE id IN (SELECT release_id FROM ${changed}) AND clone_group <> ${stated}`;
}

function markGone(sourceId: number): RawBuilder<unknown> {
  return sql`UPDATE source_row SET gone = true WHERE source_id = ${sourceId}
    AND release_id IN (SELECT release_id FROM ${sql.table('gone_release')})`;
}

function replaceSerials(dialect: Dialect, sourceId: number): RawBuilder<unknown>[] {
  return [
    sql`DELETE FROM release_serial WHERE source_id = ${sourceId}
      AND release_id IN (SELECT release_id FROM ${changed})`,
    sql`INSERT INTO release_serial (release_id, source_id, serial)
      SELECT changed.release_id, ${sourceId}, staged.serial
      FROM ${changed} ${dialect.joinInOrder} ${sql.table('staged_serial')} AS staged
        ON staged.row_position = changed.position
      ORDER BY changed.release_id, staged.serial`,
  ];
}
