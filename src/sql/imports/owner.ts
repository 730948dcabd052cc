import { platformKey } from '../../core/imports/platform.ts';
import type { Database } from '../engine.ts';

/** In place of the id of a platform or source that is not there yet; no row has it. */
export const none = -1;

/** What the rows of a DAT belong to; `none` for what the import is to make. */
export interface Owner {
  readonly platformId: number;
  readonly sourceId: number;
  readonly system: string;
}

/** The platform of that name, as letters and digits tell it; `none` when there is none. */
export async function findPlatform(db: Database, name: string): Promise<number> {
  const query = db.selectFrom('platform').select('id').where('key', '=', platformKey(name));
  return (await query.executeTakeFirst())?.id ?? none;
}

/** The source that was named so with `--source`; null when there is none. */
export async function findNamed(
  db: Database,
  platformId: number,
  name: string,
): Promise<number | null> {
  const query = db.selectFrom('source').select('id').where('platform_id', '=', platformId);
  return (await query.where('name', '=', name).executeTakeFirst())?.id ?? null;
}

export async function systemOf(db: Database, sourceId: number): Promise<string> {
  const query = db.selectFrom('source').select('system').where('id', '=', sourceId);
  return (await query.executeTakeFirstOrThrow()).system;
}

export async function makePlatform(trx: Database, name: string): Promise<number> {
  const values = { key: platformKey(name), name };
  const made = trx.insertInto('platform').values(values).returning('id');
  return (await made.executeTakeFirstOrThrow()).id;
}

/** `name` is that of `--source`, "" without it. */
export async function makeSource(
  trx: Database,
  { platformId, system }: Owner,
  name: string,
  headerName: string,
): Promise<number> {
  const values = { platform_id: platformId, name, header_name: headerName, system };
  const made = trx.insertInto('source').values(values).returning('id');
  return (await made.executeTakeFirstOrThrow()).id;
}

/** The releases that the source brought go with it. */
export async function moveToSystem(trx: Database, sourceId: number, system: string): Promise<void> {
  await trx.updateTable('source').set({ system }).where('id', '=', sourceId).execute();
  await trx
    .updateTable('release')
    .set({ system })
    .where('system', '<>', system)
    .where('id', 'in', (is) =>
      is
        .selectFrom('source_row')
        .select('release_id')
        .where('source_id', '=', sourceId)
        .where('is_shown', '=', true),
    )
    .execute();
}
