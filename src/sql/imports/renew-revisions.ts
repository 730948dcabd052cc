import { sql } from 'kysely';
import type { StagingDatabase } from './staging-run.ts';

/**
 * Sets a new revision for the releases below the id `firstNew` that an import changes. This
 * includes changes to the values they show, to the values of a source, and to values hidden by an
 * edit. Reads `changed_release`, `gone_release`, `filled_serial`, `filled_metadata` and `new_fact`.
 */
export async function renewRevisions(
  trx: StagingDatabase,
  to: { readonly firstNew: number; readonly platformId: number; readonly revision: number },
): Promise<void> {
  const touched = tables.map((table) => {
    return sql`SELECT release_id FROM ${sql.table(table)} WHERE release_id < ${to.firstNew}`;
  });
  // New facts may be hidden by an edit of any release, so all edited ones are included; there are
  // few.
  const edited = sql`SELECT edited.id FROM release_edit AS edit
    JOIN release AS edited ON edited.id = edit.release_id
    WHERE edited.platform_id = ${to.platformId} AND EXISTS (SELECT 1 FROM ${sql.table('new_fact')})`;
  await sql`UPDATE release SET revision = ${to.revision}
    WHERE id IN (${sql.join([...touched, edited], sql` UNION `)})`.execute(trx);
}

const tables = ['changed_release', 'gone_release', 'filled_serial', 'filled_metadata'] as const;
