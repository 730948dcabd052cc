import { sql } from 'kysely';
import { kindBitsOf } from '../../core/shared/names/kind-bits.ts';
import {
  type EditableField,
  isOwnField,
  type MetaField,
  metadataColumns,
  metaFields,
  type OwnField,
  ownFields,
} from '../../core/shared/release-fields.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Database } from '../engine/engine.ts';
import { type ImportedFacts, importedFacts } from '../imports/imported-facts.ts';
import { isShown } from '../imports/plan/precedence.ts';
import { type Change, lockExpected } from './release-edit.ts';
import { importedValue } from './release-history.ts';
import { indexOwnText } from './release-text.ts';
import { newRevision } from './revision.ts';

/**
 * Removes the edit mark of a field and restores the imported value of the field. Returns the new
 * revision of the release, or the current revision if the field was not edited. Returns null if the
 * release does not exist or has an unexpected revision.
 */
export async function dropEdit(
  trx: Database,
  id: number,
  field: EditableField,
  { at, author, expected }: Change,
): Promise<number | null> {
  const earlier = await lockExpected(trx, id, expected);
  if (earlier === null || !(await dropMark(trx, id, field))) return earlier;
  if (isOwnField(field)) await showImported(trx, id, field);
  else await restoreImported(trx, id, field);
  if (field === 'name' || field === 'serial') await indexOwnText(trx, id);
  const revision = newRevision();
  await trx.updateTable('release').set({ revision }).where('id', '=', id).execute();
  await recordAudit(trx, at, author, 'release.edit', `release/${id}`, { dropped: field });
  return revision;
}

/** Removes the edit mark of a field. Returns true if the field had an edit mark. */
async function dropMark(trx: Database, id: number, field: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('release_edit')
    .where('release_id', '=', id)
    .where('field', '=', field)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/**
 * Sets one of the release's own columns to the imported value. A release without any import keeps
 * its value, because no other value is known.
 */
async function showImported(trx: Database, id: number, field: OwnField): Promise<void> {
  const shown = await trx
    .selectFrom('source_row')
    .select(ownFields)
    .where('release_id', '=', id)
    .where(isShown('source_row'))
    .executeTakeFirst();
  if (shown === undefined) return;
  const value = importedValue(field, shown, await readFacts(trx, id)) ?? '';
  await trx
    .updateTable('release')
    .set({ [field]: value, ...(field === 'name' && { kinds: kindBitsOf(value) }) })
    .where('id', '=', id)
    .execute();
}

/**
 * Sets a metadata field to the imported value. Then deletes the metadata record if all of its
 * fields are empty and none of the fields is marked as edited.
 */
async function restoreImported(trx: Database, id: number, field: MetaField): Promise<void> {
  const value = importedValue(field, null, await readFacts(trx, id));
  await trx
    .updateTable('release_meta')
    .set(field === 'title' ? { title: '' } : { [field]: value })
    .where('release_id', '=', id)
    .execute();
  await trx
    .deleteFrom('release_meta')
    .where('release_id', '=', id)
    .where('title', '=', '')
    .where((is) => is.and(metadataColumns.map((column) => is(column, 'is', null))))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('release_edit')
            .select('field')
            .where('release_id', '=', id)
            .where('field', 'in', metaFields),
        ),
      ),
    )
    .execute();
}

async function readFacts(trx: Database, id: number): Promise<ImportedFacts> {
  const { rows } = await sql<{ facts: string }>`SELECT ${importedFacts(trx, id)} AS facts`.execute(
    trx,
  );
  return JSON.parse(rows[0]?.facts ?? '{}');
}
