import { sql } from 'kysely';
import { joinSearchTexts, searchText, serialSearchText } from '../../core/shared/search-text.ts';
import { normaliseSerials } from '../../core/shared/serial.ts';
import type { Database } from '../engine/engine.ts';

/**
 * Updates the part of a release's search text that comes from no source. This part consists of
 * values edited by hand, or of a serial from a metadata file.
 */
export async function indexOwnText(trx: Database, id: number): Promise<void> {
  const { name, serial } = await trx
    .selectFrom('release')
    .select(['name', 'serial'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const sources = await trx
    .selectFrom('source_row')
    .select(['search', 'serial', 'is_shown'])
    .where('release_id', '=', id)
    .orderBy('source_id')
    .execute();
  const edits = await trx
    .selectFrom('release_edit')
    .select('field')
    .where('release_id', '=', id)
    .execute();
  const shown = sources.find((row) => row.is_shown);
  const isOwn = (field: string) => !shown || edits.some((edit) => edit.field === field);
  const ownSerial = isOwn('serial') ? serial : '';
  const filledSerial = shown?.serial === '' && ownSerial === '' ? serial : '';
  const own = searchText(isOwn('name') ? name : '', ownSerial);
  const filled = serialSearchText(filledSerial);
  const text = joinSearchTexts([own, filled, ...sources.map((row) => row.search)]);
  const values = { own, filled, text };
  await trx
    .insertInto('release_text')
    .values({ release_id: id, ...values })
    .onConflict((conflict) => conflict.column('release_id').doUpdateSet(values))
    .execute();
  await replaceSerials(trx, id, normaliseSerials(ownSerial || filledSerial));
}

async function replaceSerials(trx: Database, id: number, serials: string[]): Promise<void> {
  await trx
    .deleteFrom('release_serial')
    .where('release_id', '=', id)
    .where('source_id', '=', 0)
    .execute();
  // Passes all serials as one list, because the number of parameters of a statement is limited.
  const forms = trx.dialect.list(serials);
  await sql`INSERT INTO release_serial (release_id, source_id, serial)
    SELECT ${id}, 0, form.value FROM ${forms} AS form`.execute(trx);
}
