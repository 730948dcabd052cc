import { mergeMetadata, type ReleaseEdit, touchesMetadata } from '../core/releases/release.ts';
import type { Actor } from '../core/shared/actor.ts';
import { ownFields } from '../core/shared/release-fields.ts';
import { recordAudit } from './audit.ts';
import type { Database } from './engine.ts';
import { metaColumns, toMetadata } from './release-meta.ts';
import { indexOwnText } from './release-text.ts';

/**
 * Overwrites the release's own fields, merges the others into its metadata and marks all of them as edited; false when
 * there is no such release.
 */
export async function applyEdit(
  trx: Database,
  id: number,
  edit: ReleaseEdit,
  { at, actor }: { at: string; actor: Actor },
): Promise<boolean> {
  // Locked: what another edit merged is read here, and nobody removes the release meanwhile.
  const release = await trx
    .selectFrom('listed_release as release')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(trx.dialect.lockRows)
    .executeTakeFirst();
  if (!release) return false;
  await overwriteOwnFields(trx, id, edit);
  if (touchesMetadata(edit)) await mergeIntoMeta(trx, id, edit);
  if (edit.name !== undefined || edit.serial !== undefined) await indexOwnText(trx, id);
  const fields = Object.keys(edit);
  await markEdited(trx, id, fields, at);
  await recordAudit(trx, at, actor, 'release.edit', `release/${id}`, { fields });
  return true;
}

async function overwriteOwnFields(trx: Database, id: number, edit: ReleaseEdit): Promise<void> {
  const values = Object.fromEntries(
    ownFields.flatMap((field) => (edit[field] === undefined ? [] : [[field, edit[field]]])),
  );
  if (Object.keys(values).length === 0) return;
  await trx.updateTable('release').set(values).where('id', '=', id).execute();
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
