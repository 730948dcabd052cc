import type { Database } from '../../../src/sql/engine/engine.ts';
import type { StagingTable } from '../../../src/sql/engine/staging-table.ts';

/** Creates a staging table in the way that `stage()` does. */
export async function createStaging(
  db: Database,
  name: string,
  table: StagingTable,
): Promise<void> {
  await db.dialect.createStaging(db, { [name]: table });
}
