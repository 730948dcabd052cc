import { sql } from 'kysely';
import type { StagingDatabase } from '../stage/staging-run.ts';

/**
 * Updates the search texts of existing releases after all other changes of an import. Reads
 * `changed_release` and `filled_serial`.
 */
export async function indexChanges(trx: StagingDatabase, firstNew: number): Promise<void> {
  const searches = trx.dialect.joined(sql`said.search`, ' ', sql`said.source_id`);
  await sql`UPDATE release_text SET text = trim(own || ' ' || filled || ' ' || coalesce((
      SELECT ${searches} FROM source_row AS said
      WHERE said.release_id = release_text.release_id), ''))
    WHERE release_id IN (
      SELECT release_id FROM ${sql.table('changed_release')}
      UNION SELECT release_id FROM ${sql.table('filled_serial')}
        WHERE release_id < ${firstNew})`.execute(trx);
}
