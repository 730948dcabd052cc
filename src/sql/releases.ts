import { type Selectable, sql } from 'kysely';
import type {
  Facets,
  Initial,
  ListedRelease,
  ReleaseFilter,
  ReleaseQuery,
  ReleaseRecords,
} from '../core/releases/ports.ts';
import {
  type Metadata,
  mergeMetadata,
  type ReleaseDetail,
  type ReleaseEdit,
  touchesMetadata,
} from '../core/releases/release.ts';
import type { Actor } from '../core/shared/actor.ts';
import type { Clock } from '../core/shared/clock.ts';
import { metaFields, ownFields } from '../core/shared/release-fields.ts';
import { recordAudit } from './audit.ts';
import type { Database, Engine } from './engine.ts';
import { countFacets, countInitials } from './release-facets.ts';
import { filtered } from './release-filter.ts';
import { itemColumns, readPage, readPages } from './release-pages.ts';
import { indexOwnText } from './release-text.ts';
import type { Tables } from './tables.ts';

type MetaRow = Selectable<Tables['release_meta']>;

const romsJson = sql<string>`(
  SELECT json_group_array(json_object('name', name, 'size', size, 'crc32', crc32, 'md5', md5,
    'sha1', sha1, 'serial', serial) ORDER BY position)
  FROM rom WHERE release_id = release.id)`;

const metaJson = sql<string | null>`(
  SELECT json_object('title', title, 'manual', manual, 'release_date', release_date,
    'developer', developer, 'publisher', publisher, 'genre', genre, 'synopsis', synopsis,
    'franchise', franchise)
  FROM release_meta WHERE release_id = release.id)`;

export class SqlReleaseRecords implements ReleaseRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  list(query: ReleaseQuery): Promise<ListedRelease[]> {
    return readPage(this.#engine.read, query, query);
  }

  stream(filter: ReleaseFilter, offset: number): AsyncGenerator<ListedRelease[]> {
    return readPages(this.#engine.read, filter, offset);
  }

  async count(filter: ReleaseFilter): Promise<number> {
    const { read } = this.#engine;
    const counting = (await filtered(read, filter)).select(read.fn.countAll<number>().as('count'));
    return (await counting.executeTakeFirstOrThrow()).count;
  }

  async facets(filter: ReleaseFilter): Promise<Facets> {
    return countFacets(this.#engine.read, await filtered(this.#engine.read, filter));
  }

  async initials(filter: ReleaseFilter): Promise<Initial[]> {
    return countInitials(await filtered(this.#engine.read, filter));
  }

  async find(
    id: number,
  ): Promise<(ReleaseDetail & { platform: string; franchise: string }) | null> {
    // One statement, so that an import in between cannot mix two states.
    const row = await this.#engine.read
      .selectFrom('listed_release as release')
      .leftJoin('platform', 'platform.id', 'release.platform_id')
      .select([...itemColumns, 'release.description', 'platform.name as platform'])
      .select([romsJson.as('roms'), metaJson.as('meta')])
      .where('release.id', '=', id)
      .executeTakeFirst();
    if (!row) return null;
    const { roms, meta, platform, ...release } = row;
    const record: MetaRow | null = meta === null ? null : JSON.parse(meta);
    return {
      ...release,
      platform: platform ?? '',
      franchise: record?.franchise ?? '',
      roms: JSON.parse(roms),
      meta: record && toMetadata(record),
    };
  }

  async exists(id: number): Promise<boolean> {
    const query = this.#engine.read
      .selectFrom('listed_release as release')
      .select('id')
      .where('id', '=', id);
    return (await query.executeTakeFirst()) !== undefined;
  }

  edit(id: number, edit: ReleaseEdit, actor: Actor): Promise<boolean> {
    const at = this.#clock.timestamp();
    return this.#engine.write(async (trx) => {
      const release = await trx
        .selectFrom('listed_release as release')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst();
      if (!release) return false;
      await overwriteOwnFields(trx, id, edit);
      if (touchesMetadata(edit)) await mergeIntoMeta(trx, id, edit);
      const fields = Object.keys(edit);
      if (edit.name !== undefined || edit.serial !== undefined) await indexOwnText(trx, id);
      await markEdited(trx, id, fields, at);
      await recordAudit(trx, at, actor, 'release.edit', `release/${id}`, { fields });
      return true;
    });
  }
}

async function overwriteOwnFields(trx: Database, id: number, edit: ReleaseEdit): Promise<void> {
  const values = Object.fromEntries(
    ownFields.flatMap((field) => (edit[field] === undefined ? [] : [[field, edit[field]]])),
  );
  if (Object.keys(values).length === 0) return;
  await trx.updateTable('release').set(values).where('id', '=', id).execute();
}

async function mergeIntoMeta(trx: Database, id: number, edit: ReleaseEdit): Promise<void> {
  const earlier = await selectMeta(trx, id);
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

function selectMeta(db: Database, id: number) {
  return db.selectFrom('release_meta').selectAll().where('release_id', '=', id).executeTakeFirst();
}

/** Fields that nobody set (null) are left out. */
function toMetadata(row: Omit<MetaRow, 'release_id'>): Metadata {
  const known = metaFields.flatMap((field) => (row[field] === null ? [] : [[field, row[field]]]));
  return { ...Object.fromEntries(known), title: row.title, manual: Boolean(row.manual) };
}
