import { type RawBuilder, sql } from 'kysely';
import { filledFields } from '../../../core/shared/release-fields.ts';
import { isEdited } from '../plan/precedence.ts';
import { columns } from '../stage/columns.ts';

/**
 * Returns the statements that fill the planned metadata of releases below the id `firstNew`, and
 * the planned serials if `fillsSerials`. Fields that were edited since the planning are skipped.
 * Reads `filled_metadata`, `filled_serial_form` and `filled_serial`. Removes the skipped rows from
 * `filled_serial`.
 */
export function applyMetadata(firstNew: number, fillsSerials: boolean): RawBuilder<unknown>[] {
  return [...(fillsSerials ? fillSerials(firstNew) : []), fillFields(firstNew)];
}

function fillSerials(firstNew: number): RawBuilder<unknown>[] {
  const filled = sql.table('filled_serial');
  const isOlder = sql`release_id < ${firstNew}`;
  const older = sql`SELECT release_id FROM ${filled} WHERE ${isOlder}`;
  return [
    sql`DELETE FROM ${filled} WHERE ${isOlder} AND NOT EXISTS (
      SELECT 1 FROM release WHERE release.id = ${sql.ref('filled_serial.release_id')}
        AND release.serial = '' AND NOT ${isEdited(sql.ref('release.id'), 'serial')})`,
    sql`UPDATE release SET serial = (
        SELECT filled.value FROM ${filled} AS filled WHERE filled.release_id = release.id)
      WHERE id IN (${older})`,
    sql`DELETE FROM release_serial WHERE source_id = 0 AND release_id IN (${older})`,
    sql`INSERT INTO release_serial (release_id, source_id, serial)
      SELECT release_id, 0, serial FROM ${sql.table('filled_serial_form')}
      WHERE release_id IN (${older}) ORDER BY release_id, serial`,
    sql`UPDATE release_text SET filled = (
        SELECT serial.search FROM ${filled} AS serial
        WHERE serial.release_id = release_text.release_id)
      WHERE release_id IN (${older})`,
  ];
}

function fillFields(firstNew: number): RawBuilder<unknown> {
  const sets = filledFields.map((field) => {
    const [now, filled] = [sql.ref(`release_meta.${field}`), sql.ref(`excluded.${field}`)];
    return sql`${sql.id(field)} = CASE WHEN ${isEdited(sql.ref('release_meta.release_id'), field)}
      THEN ${now} ELSE coalesce(${filled}, ${now}) END`;
  });
  return sql`INSERT INTO release_meta (release_id, title, manual, ${columns(filledFields)})
    SELECT release_id, '', false, ${columns(filledFields)}
    FROM ${sql.table('filled_metadata')} WHERE release_id < ${firstNew}
    ON CONFLICT (release_id) DO UPDATE SET ${sql.join(sets)}`;
}
