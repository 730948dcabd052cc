import { sql } from 'kysely';
import { serialSearchText } from '../../../core/shared/search-text.ts';
import { normaliseSerials } from '../../../core/shared/serial.ts';
import type { StagingDatabase, StagingRows } from '../stage/staging-run.ts';
import { isEdited } from './precedence.ts';

/** Number of serials for which forms are calculated at a time. */
const serialsAtOnce = 500;

/**
 * Plans serials for releases that have no serial, if a fact contains one. Serials edited by hand
 * are not changed. Returns the number of planned serials. Reads `offered_fact`, `fillable_release`
 * and `staged_row`; writes `filled_serial` and `filled_serial_form`.
 */
export async function planSerials(db: StagingDatabase, rows: StagingRows): Promise<number> {
  const count = await collectSerials(db);
  if (count > 0) await addForms(db, rows);
  return count;
}

/** Writes the planned serials, still without their search texts and normalised forms. */
async function collectSerials(db: StagingDatabase): Promise<number> {
  const { numAffectedRows } = await sql`INSERT INTO ${sql.table('filled_serial')}
      (release_id, value, search)
    SELECT offered.release_id, offered.value, ''
    FROM ${sql.table('offered_fact')} AS offered
    JOIN ${sql.table('fillable_release')} AS fillable ON fillable.release_id = offered.release_id
    LEFT JOIN ${sql.table('staged_row')} AS staged ON staged.position = fillable.position
    LEFT JOIN release ON release.id = offered.release_id
    WHERE offered.field = 'serial'
      AND CASE WHEN fillable.shows_row THEN staged.serial ELSE release.serial END = ''
      AND NOT ${isEdited(sql.ref('offered.release_id'), 'serial')}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Adds the search texts and normalised forms of the planned serials, as calculated by functions of
 * core.
 */
async function addForms(db: StagingDatabase, rows: StagingRows): Promise<void> {
  for (let last = 0; ; ) {
    const serials = await db
      .selectFrom('filled_serial')
      .select(['release_id', 'value'])
      .where('release_id', '>', last)
      .orderBy('release_id')
      .limit(serialsAtOnce)
      .execute();
    await rows.add(
      'filled_serial',
      serials.map((serial) => ({ ...serial, search: serialSearchText(serial.value) })),
      'replace',
    );
    await rows.add(
      'filled_serial_form',
      serials.flatMap(({ release_id, value }) =>
        normaliseSerials(value).map((serial) => ({ release_id, serial })),
      ),
    );
    if (serials.length < serialsAtOnce) return;
    last = serials.at(-1)?.release_id ?? 0;
  }
}
