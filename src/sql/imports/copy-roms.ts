import { type RawBuilder, sql } from 'kysely';
import { columns } from './columns.ts';
import type { StagingDatabase } from './staging-run.ts';
import { romColumns } from './staging-tables.ts';

/** Gives releases the ROMs of their rows; `releases` has the columns `release_id` and `position`. Reads `staged_rom`. */
export async function copyRoms(trx: StagingDatabase, releases: RawBuilder<unknown>): Promise<void> {
  await sql`INSERT INTO rom (release_id, position, ${columns(romColumns)})
    SELECT listed.release_id, staged.position, ${columns(romColumns, 'staged')}
    FROM (${releases}) AS listed
    ${trx.dialect.joinInOrder} ${sql.table('staged_rom')} AS staged
      ON staged.row_position = listed.position`.execute(trx);
}
