import { sql } from 'kysely';
import { joinSearchTexts, searchText } from '../core/shared/search-text.ts';
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
  const text = joinSearchTexts([own, ...sources.map((row) => row.search)]);
  const values = { own, filled: '', text };
  await trx
    .insertInto('release_text')
    .values({ release_id: id, ...values })
    .onConflict((conflict) => conflict.column('release_id').doUpdateSet(values))
    .execute();
  await trx
    .deleteFrom('release_serial')
    .where('release_id', '=', id)
    .where('source_id', '=', 0)
    .execute();
  // As a list, because a statement takes only so many parameters.
  const forms = trx.dialect.list(normaliseSerials(serial));
  await sql`INSERT INTO release_serial (release_id, source_id, serial)
    SELECT ${id}, 0, form.value FROM ${forms} AS form`.execute(trx);
}
