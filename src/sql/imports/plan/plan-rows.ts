import { sql } from 'kysely';
import { columns } from '../stage/columns.ts';
import type { StagingDatabase } from '../stage/staging-run.ts';
import { statedColumns } from '../stage/staging-tables.ts';
import { isShown } from './precedence.ts';
import { isRefused } from './refused-keys.ts';

/**
 * Finds the matched releases that the file changes. For such a release, the source stated other
 * data before, or did not list the release. Reads `staged_row` and `matched_row`; writes
 * `changed_release`.
 */
export async function planChanges(db: StagingDatabase, sourceId: number | null): Promise<void> {
  const statedBy = (of: string) => columns(comparedColumns, of);
  await sql`INSERT INTO ${sql.table('changed_release')}
      (release_id, position, how, is_shown, has_other_roms)
    SELECT matched.release_id, matched.position,
      CASE WHEN own.release_id IS NULL THEN 'joined'
        WHEN own.name = staged.name THEN 'changed' ELSE 'renamed' END,
      coalesce(${isShown('own')}, false),
      coalesce(${isShown('own')}
        AND (own.roms_digest, own.serial) <> (staged.roms_digest, staged.serial), false)
    FROM ${sql.table('matched_row')} AS matched
    ${db.dialect.joinInOrder} ${sql.table('staged_row')} AS staged
      ON staged.position = matched.position
    LEFT JOIN source_row AS own
      ON own.source_id = ${sourceId} AND own.release_id = matched.release_id
    WHERE own.release_id IS NULL OR own.gone OR (${statedBy('own')}) <> (${statedBy('staged')})
    ORDER BY matched.release_id`.execute(db);
}

/**
 * The columns whose values are compared. `search` is omitted, because its value is derived from the
 * other columns.
 */
const comparedColumns = statedColumns.filter((name) => name !== 'search');

/**
 * Finds the releases below the id `end` that the source listed before and that the file does not
 * list. Skips releases with the name or dump of a refused row, because that row may describe the
 * release. Reads `matched_row` and `refused_key`; writes `gone_release`.
 */
export async function planGone(db: StagingDatabase, sourceId: number, end: number): Promise<void> {
  await db
    .insertInto('gone_release')
    .columns(['release_id', 'name'])
    .expression((from) =>
      from
        .selectFrom('source_row')
        .select(['source_row.release_id', 'source_row.name'])
        .where('source_row.source_id', '=', sourceId)
        .where('source_row.release_id', '<', end)
        .where('source_row.gone', '=', false)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('matched_row')
                .select('matched_row.position')
                .whereRef('matched_row.release_id', '=', 'source_row.release_id'),
            ),
          ),
        )
        .where(({ not }) => not(isRefused('source_row')))
        .orderBy('source_row.release_id'),
    )
    .execute();
}
