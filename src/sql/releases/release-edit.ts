import type { ExpectedRevisions } from '../../core/releases/ports.ts';
import { mergeMetadata, type ReleaseEdit, touchesMetadata } from '../../core/releases/release.ts';
import { kindBitsOf } from '../../core/shared/names/kind-bits.ts';
import { ownFields } from '../../core/shared/release-fields.ts';
import type { Author } from '../accounts/write-as.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Database } from '../engine/engine.ts';
import { metaColumns, toMetadata } from './release-meta.ts';
import { indexOwnText } from './release-text.ts';
import { newRevision } from './revision.ts';

/** The time, author and expected revision of a manual edit. */
export interface Change {
  readonly at: string;
  readonly author: Author;
  readonly expected: ExpectedRevisions;
}

/**
 * Applies a manual edit. Overwrites the release's own fields, merges the other fields into the
 * release's metadata, and marks all fields of the edit as edited. Returns the new revision. Returns
 * null if the release does not exist or has an unexpected revision.
 */
export async function applyEdit(
  trx: Database,
  id: number,
  edit: ReleaseEdit,
  { at, author, expected }: Change,
): Promise<number | null> {
  if ((await lockExpected(trx, id, expected)) === null) return null;
  const revision = newRevision();
  await overwriteOwnFields(trx, id, edit, revision);
  if (touchesMetadata(edit)) await mergeIntoMeta(trx, id, edit);
  const fields = Object.keys(edit);
  await markEdited(trx, id, fields, at);
  if (edit.name !== undefined || edit.serial !== undefined) await indexOwnText(trx, id);
  await recordAudit(trx, at, author, 'release.edit', `release/${id}`, { fields });
  return revision;
}

/**
 * Locks a release until the transaction ends, so that no other transaction changes or removes the
 * release. Returns the revision of the release. Returns null if the release does not exist or has
 * an unexpected revision.
 */
export async function lockExpected(
  trx: Database,
  id: number,
  expected: ExpectedRevisions,
): Promise<number | null> {
  const release = await trx
    .selectFrom('listed_release as release')
    .select('revision')
    .where('id', '=', id)
    .modifyEnd(trx.dialect.lockRows)
    .executeTakeFirst();
  if (release === undefined) return null;
  return expected === null || expected.has(release.revision) ? release.revision : null;
}

async function overwriteOwnFields(
  trx: Database,
  id: number,
  edit: ReleaseEdit,
  revision: number,
): Promise<void> {
  const values = Object.fromEntries(
    ownFields.flatMap((field) => (edit[field] === undefined ? [] : [[field, edit[field]]])),
  );
  const { name } = edit;
  await trx
    .updateTable('release')
    .set({ ...values, ...(name !== undefined && { kinds: kindBitsOf(name) }), revision })
    .where('id', '=', id)
    .execute();
}

async function mergeIntoMeta(trx: Database, id: number, edit: ReleaseEdit): Promise<void> {
  const earlier = await trx
    .selectFrom('release_meta')
    .select(metaColumns)
    .where('release_id', '=', id)
    .executeTakeFirst();
  const values = mergeMetadata(earlier ? toMetadata(earlier) : null, edit);
  await trx
    .insertInto('release_meta')
    .values({ release_id: id, ...values })
    .onConflict((conflict) => conflict.column('release_id').doUpdateSet(values))
    .execute();
}

async function markEdited(trx: Database, id: number, fields: string[], at: string): Promise<void> {
  if (fields.length === 0) return;
  await trx
    .insertInto('release_edit')
    .values(fields.map((field) => ({ release_id: id, field, edited_at: at })))
    .onConflict((conflict) =>
      conflict.columns(['release_id', 'field']).doUpdateSet({ edited_at: at }),
    )
    .execute();
}
