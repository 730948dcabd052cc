import { sql } from 'kysely';
import { searchText } from '../core/shared/search-text.ts';
import { normaliseSerials } from '../core/shared/serial.ts';
import type { Database } from './engine.ts';

/** Makes a release found by what it now shows, beside what its sources say. */
export async function indexOwnText(trx: Database, id: number): Promise<void> {
  const { name, serial } = await trx
    .selectFrom('release')
    .select(['name', 'serial'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const sources = await trx
    .selectFrom('source_row')
    .select('search')
    .where('release_id', '=', id)
    .orderBy('source_id')
    .execute();
  const own = searchText(name, serial);
  const text = [own, ...sources.map((row) => row.search)].join(' ');
  await trx
    .insertInto('release_text')
    .values({ release_id: id, own, text })
    .onConflict((conflict) => conflict.column('release_id').doUpdateSet({ own, text }))
    .execute();
  await trx
    .deleteFrom('release_serial')
    .where('release_id', '=', id)
    .where('source_id', '=', 0)
    .execute();
  const forms = normaliseSerials(serial);
  // As JSON, because a statement takes only so many parameters.
  await sql`INSERT INTO release_serial (release_id, source_id, serial)
    SELECT ${id}, 0, value FROM json_each(${JSON.stringify(forms)})`.execute(trx);
}
