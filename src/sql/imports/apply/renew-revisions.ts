import { sql } from 'kysely';
import type { StagingDatabase } from '../stage/staging-run.ts';

/**
 * Sets a new revision for all releases below the id `firstNew` that an import changes. For some of
 * these releases, only a source's data or a value hidden by an edit changes. Reads
 * `changed_release`, `gone_release`, `filled_serial`, `filled_metadata` and `new_fact`.
 */
export async function renewRevisions(
  trx: StagingDatabase,
  to: { readonly firstNew: number; readonly platformId: number; readonly revision: number },
): Promise<void> {
  const touched = tables.map((table) => {
    return sql`SELECT release_id FROM ${sql.table(table)} WHERE release_id < ${to.firstNew}`;
  });
  // New facts may change a value that an edit hides. Finding the affected releases would be costly.
  // Therefore all edited releases of the platform are included, because there are few of them.
  const edited = sql`SELECT edited.id FROM release_edit AS edit
    JOIN release AS edited ON edited.id = edit.release_id
    WHERE edited.platform_id = ${to.platformId} AND EXISTS (SELECT 1 FROM ${sql.table('new_fact')})`;
  await sql`UPDATE release SET revision = ${to.revision}
    WHERE id IN (${sql.join([...touched, edited], sql` UNION `)})`.execute(trx);
}

const tables = ['changed_release', 'gone_release', 'filled_serial', 'filled_metadata'] as const;
