import { sql } from 'kysely';
import type { StagingDatabase } from '../stage/staging-run.ts';

/**
 * Locks the releases below the id `firstNew` that an import changes, until the transaction ends. No
 * user can edit these releases meanwhile, so the set of edited fields does not change. Reads
 * `changed_release`, `gone_release`, `filled_serial`, `filled_metadata` and `pruned_release`.
 */
export async function lockReleases(trx: StagingDatabase, firstNew: number): Promise<void> {
  const touched = tables.map((table) => {
    return sql`SELECT release_id FROM ${sql.table(table)} WHERE release_id < ${firstNew}`;
  });
  await sql`SELECT count(*) FROM (
    SELECT id FROM release WHERE id IN (${sql.join(touched, sql` UNION `)})
    ORDER BY id ${trx.dialect.lockRows}) AS locked`.execute(trx);
}

const tables = [
  'changed_release',
  'gone_release',
  'filled_serial',
  'filled_metadata',
  'pruned_release',
] as const;
