import { platformKey } from '../../../core/imports/platform.ts';
import type { DatOptions, ImportedDat } from '../../../core/imports/ports.ts';
import type { Database } from '../../engine/engine.ts';
import { newRevision } from '../../releases/revision.ts';
import { isShown } from '../plan/precedence.ts';

/** The source of a DAT. `id` is null if the import must create the source. */
export interface PlannedSource {
  readonly id: number | null;
  readonly system: string;
}

/** The platform and source to which the content of a file belongs. */
export interface Owner {
  readonly platformId: number;
  /** Null if the file is a metadata file. */
  readonly source: Source | null;
  /** The new revision of every release that the import adds or changes. */
  readonly revision: number;
}

export interface Source {
  readonly id: number;
  readonly system: string;
}

/**
 * Returns the id of the platform with this name, or null. The comparison ignores everything except
 * letters and digits.
 */
export async function findPlatform(db: Database, name: string): Promise<number | null> {
  const query = db.selectFrom('platform').select('id').where('key', '=', platformKey(name));
  return (await query.executeTakeFirst())?.id ?? null;
}

/** Returns the id of the source with this `--source` name in a platform, or null. */
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

/**
 * Returns the platform and the source of a file. Creates the platform or the source if it does not
 * exist. Call this function only after `lockImports`.
 */
export async function makeOwner(
  trx: Database,
  {
    dat,
    options,
    plan,
  }: {
    dat: ImportedDat;
    options: DatOptions;
    plan: { platformId: number | null; source: PlannedSource | null };
  },
): Promise<Owner> {
  const headerName = dat.header.name;
  const platformId = plan.platformId ?? (await makePlatform(trx, headerName));
  const revision = newRevision();
  if (plan.source === null) return { platformId, source: null, revision };
  const { system } = plan.source;
  const name = options.source ?? '';
  const id = plan.source.id ?? (await makeSource(trx, { platformId, name, headerName, system }));
  return { platformId, source: { id, system }, revision };
}

async function makePlatform(trx: Database, name: string): Promise<number> {
  const values = { key: platformKey(name), name };
  const made = trx.insertInto('platform').values(values).returning('id');
  return (await made.executeTakeFirstOrThrow()).id;
}

/**
 * Creates a source and returns its id. `name` is the `--source` name, or "" without this option.
 */
async function makeSource(
  trx: Database,
  source: { platformId: number; name: string; headerName: string; system: string },
): Promise<number> {
  const { platformId, name, headerName, system } = source;
  const values = { platform_id: platformId, name, header_name: headerName, system };
  const made = trx.insertInto('source').values(values).returning('id');
  return (await made.executeTakeFirstOrThrow()).id;
}

/** Changes the system of a source, and of the releases that show the data of this source. */
export async function moveToSystem(trx: Database, source: Source, revision: number): Promise<void> {
  const { id: sourceId, system } = source;
  await trx.updateTable('source').set({ system }).where('id', '=', sourceId).execute();
  await trx
    .updateTable('release')
    .set({ system, revision })
    .where('system', '<>', system)
    .where('id', 'in', (is) =>
      is
        .selectFrom('source_row')
        .select('release_id')
        .where('source_id', '=', sourceId)
        .where(isShown('source_row')),
    )
    .execute();
}
