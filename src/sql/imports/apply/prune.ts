import { sql } from 'kysely';
import { isEditedAnywhere } from '../plan/precedence.ts';
import { isRefused } from '../plan/refused-keys.ts';
import type { Pruned } from '../report.ts';
import type { StagingDatabase } from '../stage/staging-run.ts';

/**
 * Maximum number of names that the report lists. This maximum is higher than for other lists,
 * because removed releases cannot be looked up afterwards.
 */
const maxNames = 1_000;

export const nothingPruned: Pruned = { count: 0, names: [] };

/**
 * Finds the releases of a source, below the id `end`, that the import will remove. Such a release
 * is no longer listed by any source, was never edited, and is not in `keep`. No editor put it into
 * a group, and the library has no file that matches it. Reads `matched_row` and `refused_key`;
 * writes `pruned_release`.
 */
export async function planPrune(
  db: StagingDatabase,
  { sourceId, keep, end }: { sourceId: number; keep: ReadonlySet<number>; end: number },
): Promise<Pruned> {
  await sql`INSERT INTO ${sql.table('pruned_release')} (release_id, name)
    SELECT release.id, release.name
    FROM source_row AS own JOIN release ON release.id = own.release_id
    WHERE own.source_id = ${sourceId} AND own.release_id < ${end}
      AND NOT EXISTS (SELECT 1 FROM ${sql.table('matched_row')} AS matched
        WHERE matched.release_id = own.release_id)
      AND NOT EXISTS (SELECT 1 FROM source_row AS other
        WHERE other.release_id = own.release_id AND other.source_id <> ${sourceId} AND NOT other.gone)
      AND NOT ${isRefused('own')}
      AND ${isUnused} AND release.id NOT IN ${db.dialect.list([...keep], 'integer')}
    ORDER BY release.name, release.id`.execute(db);
  return readPruned(db);
}

/**
 * Removes the planned releases. Skips releases that were edited, or that a library file matched,
 * since the planning. Reads and writes `pruned_release`.
 */
export async function prune(trx: StagingDatabase): Promise<Pruned> {
  await sql`DELETE FROM ${sql.table('pruned_release')} WHERE release_id IN (
    SELECT planned.release_id FROM ${sql.table('pruned_release')} AS planned
    JOIN release ON release.id = planned.release_id WHERE NOT (${isUnused}))`.execute(trx);
  await trx
    .deleteFrom('release')
    .where('id', 'in', (from) => from.selectFrom('pruned_release').select('release_id'))
    .execute();
  return readPruned(trx);
}

const isUnused = sql`NOT ${isEditedAnywhere(sql.ref('release.id'))} AND release.edited_group IS NULL
  AND NOT EXISTS (SELECT 1 FROM library_file AS file WHERE file.release_id = release.id)`;

async function readPruned(db: StagingDatabase): Promise<Pruned> {
  const { count } = await db
    .selectFrom('pruned_release')
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('pruned_release')
    .select('name')
    .orderBy('position')
    .limit(maxNames)
    .execute();
  return { count, names: rows.map(({ name }) => name) };
}
