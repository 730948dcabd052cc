import { type InferResult, sql } from 'kysely';
import type {
  Facets,
  Initial,
  ListedRelease,
  ReleaseFilter,
  ReleaseQuery,
  ReleaseRecords,
} from '../core/releases/ports.ts';
import type { ReleaseDetail, ReleaseEdit } from '../core/releases/release.ts';
import type { Actor } from '../core/shared/actor.ts';
import type { Clock } from '../core/shared/clock.ts';
import type { Database, Engine } from './engine.ts';
import { applyEdit } from './release-edit.ts';
import { countFacets, countInitials } from './release-facets.ts';
import { filtered } from './release-filter.ts';
import { metaColumns, toMetadata } from './release-meta.ts';
import { itemColumns, readPage, readPages } from './release-pages.ts';
import { ReleaseTotal } from './release-total.ts';

const romFields = ['name', 'size', 'crc32', 'md5', 'sha1', 'serial'] as const;

type CompiledDetail = ReturnType<typeof compileDetail>;
type DetailRow = InferResult<CompiledDetail>[number];

export class SqlReleaseRecords implements ReleaseRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;
  /** Compiled once: for each request it would take as long as all the rest of it. Its one parameter is the id. */
  readonly #detail: CompiledDetail;
  readonly #total: ReleaseTotal;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
    this.#detail = compileDetail(parts.engine.read);
    this.#total = new ReleaseTotal(parts.engine);
  }

  list(query: ReleaseQuery): Promise<ListedRelease[]> {
    return readPage(this.#engine.read, query, query);
  }

  stream(filter: ReleaseFilter, offset: number): AsyncGenerator<ListedRelease[]> {
    return readPages(this.#engine.read, filter, offset);
  }

  async count(filter: ReleaseFilter): Promise<number> {
    if (findsAll(filter)) return this.total();
    const { read } = this.#engine;
    const counting = (await filtered(read, filter)).select(read.fn.countAll<number>().as('count'));
    return (await counting.executeTakeFirstOrThrow()).count;
  }

  total(): Promise<number> {
    return this.#total.read();
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
    const compiled = { ...this.#detail, parameters: [id] };
    const [row] = (await this.#engine.read.executeQuery<DetailRow>(compiled)).rows;
    if (!row) return null;
    return {
      id: row.id,
      system: row.system,
      name: row.name,
      region: row.region,
      serial: row.serial,
      description: row.description,
      platform: row.platform ?? '',
      franchise: row.franchise ?? '',
      roms: JSON.parse(row.roms),
      meta: toMetadata(row),
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
    return this.#engine.write((trx) => applyEdit(trx, id, edit, { at, actor }));
  }
}

function findsAll({ system, q, search, platform, region }: ReleaseFilter): boolean {
  return [system, q, search, platform, region].every((text) => text === '');
}

/** One statement, so that an import in between cannot mix two states. */
function compileDetail(db: Database) {
  return db
    .selectFrom('listed_release as release')
    .leftJoin('platform', 'platform.id', 'release.platform_id')
    .leftJoin('release_meta', 'release_meta.release_id', 'release.id')
    .select([...itemColumns, 'release.description', 'platform.name as platform'])
    .select([...metaColumns, 'release_meta.franchise'])
    .select(romsOf(db).as('roms'))
    .where('release.id', '=', 0)
    .compile();
}

/** The ROMs of `release` in their order, as JSON. */
function romsOf({ dialect }: Database) {
  const fields = romFields.map((field) => [field, sql.ref(`rom.${field}`)] as const);
  const roms = dialect.jsonArray(
    dialect.jsonObject(Object.fromEntries(fields)),
    sql.ref('rom.position'),
  );
  return sql<string>`(SELECT ${roms} FROM rom WHERE rom.release_id = release.id)`;
}
