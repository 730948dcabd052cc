import type { Kysely, Selectable } from 'kysely';
import type { ReleaseQuery, ReleaseRecords } from '../core/releases/ports.ts';
import {
  type Metadata,
  mergeMetadata,
  metaFields,
  ownFields,
  type ReleaseDetail,
  type ReleaseEdit,
  type ReleaseItem,
  touchesMetadata,
} from '../core/releases/release.ts';
import type { Actor } from '../core/shared/actor.ts';
import type { Clock } from '../core/shared/clock.ts';
import { recordAudit } from './audit.ts';
import { nameContains } from './name-search.ts';
import type { Sql } from './sqlite/open.ts';
import type { Tables } from './tables.ts';

const itemColumns = ['id', 'system', 'name', 'region', 'serial'] as const;

export class SqlReleaseRecords implements ReleaseRecords {
  readonly #sql: Sql<Tables>;
  readonly #clock: Clock;

  constructor(parts: { sql: Sql<Tables>; clock: Clock }) {
    this.#sql = parts.sql;
    this.#clock = parts.clock;
  }

  async list(query: ReleaseQuery): Promise<ReleaseItem[]> {
    const { read } = this.#sql;
    // The page's ids first, from an index alone; its rows only then.
    let ids = read
      .selectFrom('release')
      .select('id')
      .orderBy('name')
      .orderBy('id')
      .limit(query.limit)
      .offset(query.offset);
    if (query.system !== '') ids = ids.where('system', '=', query.system);
    if (query.q !== '') ids = ids.where(await nameContains(read, query.q));
    return read
      .selectFrom('release')
      .select(itemColumns)
      .where('id', 'in', ids)
      .orderBy('name')
      .orderBy('id')
      .execute();
  }

  async find(id: number): Promise<ReleaseDetail | null> {
    const { read } = this.#sql;
    const [release, roms, meta] = await Promise.all([
      read
        .selectFrom('release')
        .select([...itemColumns, 'description'])
        .where('id', '=', id)
        .executeTakeFirst(),
      read
        .selectFrom('rom')
        .select(['name', 'size', 'crc32', 'md5', 'sha1', 'serial'])
        .where('release_id', '=', id)
        .orderBy('position')
        .execute(),
      selectMeta(read, id),
    ]);
    return release ? { ...release, roms, meta: meta ? toMetadata(meta) : null } : null;
  }

  async exists(id: number): Promise<boolean> {
    const query = this.#sql.read.selectFrom('release').select('id').where('id', '=', id);
    return (await query.executeTakeFirst()) !== undefined;
  }

  edit(id: number, edit: ReleaseEdit, actor: Actor): Promise<boolean> {
    const at = this.#clock.timestamp();
    return this.#sql.write(async (trx) => {
      const release = await trx
        .selectFrom('release')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst();
      if (!release) return false;
      await overwriteOwnFields(trx, id, edit);
      if (touchesMetadata(edit)) await mergeIntoMeta(trx, id, edit);
      const fields = Object.keys(edit);
      await markEdited(trx, id, fields, at);
      await recordAudit(trx, at, actor, 'release.edit', `release/${id}`, { fields });
      return true;
    });
  }
}

async function overwriteOwnFields(
  trx: Kysely<Tables>,
  id: number,
  edit: ReleaseEdit,
): Promise<void> {
  const values = Object.fromEntries(
    ownFields.flatMap((field) => (edit[field] === undefined ? [] : [[field, edit[field]]])),
  );
  if (Object.keys(values).length === 0) return;
  await trx.updateTable('release').set(values).where('id', '=', id).execute();
}

async function mergeIntoMeta(trx: Kysely<Tables>, id: number, edit: ReleaseEdit): Promise<void> {
  const earlier = await selectMeta(trx, id);
  const { manual, ...fields } = mergeMetadata(earlier ? toMetadata(earlier) : null, edit);
  const values = { ...fields, manual: manual ? 1 : 0 };
  await trx
    .insertInto('release_meta')
    .values({ release_id: id, ...values })
    .onConflict((conflict) => conflict.column('release_id').doUpdateSet(values))
    .execute();
}

async function markEdited(
  trx: Kysely<Tables>,
  id: number,
  fields: string[],
  at: string,
): Promise<void> {
  if (fields.length === 0) return;
  await trx
    .insertInto('release_edit')
    .values(fields.map((field) => ({ release_id: id, field, edited_at: at })))
    .onConflict((conflict) =>
      conflict.columns(['release_id', 'field']).doUpdateSet({ edited_at: at }),
    )
    .execute();
}

function selectMeta(db: Kysely<Tables>, id: number) {
  return db.selectFrom('release_meta').selectAll().where('release_id', '=', id).executeTakeFirst();
}

/** Fields that nobody set (null) are left out. */
function toMetadata(row: Selectable<Tables['release_meta']>): Metadata {
  const known = metaFields.flatMap((field) => (row[field] === null ? [] : [[field, row[field]]]));
  return { ...Object.fromEntries(known), title: row.title, manual: row.manual === 1 };
}
