import { type InferResult, sql } from 'kysely';
import type {
  ExpectedRevisions,
  FacetOptions,
  Facets,
  FoundRelease,
  Initial,
  InitialOrder,
  ListedDetail,
  ListedRelease,
  PageOfList,
  RecordFilter,
  ReleaseQuery,
  ReleaseRecords,
  WholeRelease,
} from '../../core/releases/ports.ts';
import type { ReleaseEdit } from '../../core/releases/release.ts';
import type { ReleaseLayout } from '../../core/releases/release-layout.ts';
import type { Clock } from '../../core/shared/clock.ts';
import { chooses } from '../../core/shared/groups/choose.ts';
import {
  detailFields,
  type EditableField,
  type OwnTexts,
  ownFields,
} from '../../core/shared/release-fields.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import { writeAs } from '../accounts/write-as.ts';
import { compileQuery, type ParamOf } from '../engine/compiled-query.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { importedFacts } from '../imports/imported-facts.ts';
import { SetChoices } from '../sets/choice/set-choices.ts';
import { SetCache } from '../sets/set-cache.ts';
import { dropEdit } from './dropped-edit.ts';
import { FullListStreams } from './full-list-stream.ts';
import { RankedReleases } from './ranking/ranked-releases.ts';
import { countFound, countInitials, ReleaseTotal } from './release-counts.ts';
import { applyEdit } from './release-edit.ts';
import { countFacets } from './release-facets.ts';
import { itemColumns } from './release-forms.ts';
import { editsOf, sourceRowsOf, toEdits, toSourceRows } from './release-history.ts';
import { metaColumns, toMetadata } from './release-meta.ts';
import { ReleasePages } from './release-pages.ts';
import { CommonTrigrams, type Trigrams } from './trigram-sample.ts';

type DetailRow = InferResult<ReturnType<typeof selectDetail>>[number];

/** Maximum number of sets whose counts are cached. */
const maxSetCounts = 2_000;

const detailColumns = detailFields.map((field) => `release.${field}` as const);
const romFields = ['name', 'size', 'crc32', 'md5', 'sha1', 'serial'] as const;

export class SqlReleaseRecords implements ReleaseRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #trigrams: Trigrams;
  readonly #pages: ReleasePages;
  readonly #ranked: RankedReleases;
  readonly #fullLists = new FullListStreams();
  readonly #detail: ReturnType<typeof compileDetail>;
  readonly #total: ReleaseTotal;
  readonly #setCounts: SetCache<number>;
  readonly #choices: SetChoices;

  constructor(parts: {
    engine: Engine;
    clock: Clock;
    trigrams?: Trigrams;
    maxRanked?: number;
    candidatesPerRead?: number;
  }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
    this.#trigrams = parts.trigrams ?? new CommonTrigrams(parts.engine.longRead);
    this.#pages = new ReleasePages(parts.engine, this.#trigrams);
    this.#ranked = new RankedReleases({
      engine: parts.engine,
      trigrams: this.#trigrams,
      pages: this.#pages,
      listByIds: (ids) => this.listByIds(ids),
      maxRanked: parts.maxRanked,
    });
    this.#detail = compileDetail(parts.engine.read);
    this.#total = new ReleaseTotal(parts.engine);
    this.#setCounts = new SetCache(parts.engine, { maxSize: maxSetCounts, sizeOf: () => 1 });
    const { engine, candidatesPerRead } = parts;
    this.#choices = new SetChoices({ engine, trigrams: this.#trigrams, candidatesPerRead });
  }

  async list(query: ReleaseQuery): Promise<ListedRelease[]> {
    const chosen = await this.#withChoice(query);
    const { order, ...rest } = chosen;
    if (order === 'relevance') return this.#ranked.read(chosen, rest);
    return this.#pages.read(chosen, { ...rest, ...(order && { order }) });
  }

  async listAsText(
    requested: RecordFilter,
    page: PageOfList,
    layout: ReleaseLayout,
  ): Promise<string> {
    const filter = await this.#withChoice(requested);
    return (await this.#pages.readAsText(filter, page, layout)).text;
  }

  async *stream(requested: RecordFilter, offset: number): AsyncGenerator<ListedRelease[]> {
    const filter = await this.#withChoice(requested);
    yield* this.#fullLists.stream(offset, async (page) => {
      const content = await this.#pages.read(filter, page);
      return { content, releases: content.length, last: content.at(-1) ?? null };
    });
  }

  async *streamAsText(
    requested: RecordFilter,
    offset: number,
    layout: ReleaseLayout,
  ): AsyncGenerator<string> {
    const filter = await this.#withChoice(requested);
    yield* this.#fullLists.stream(offset, async (page) => {
      const { text, ...rest } = await this.#pages.readAsText(filter, page, layout);
      return { content: text, ...rest };
    });
  }

  async count(requested: RecordFilter): Promise<number> {
    if (findsAll(requested)) return this.total();
    const countNow = async () => {
      const filter = await this.#withChoice(requested);
      const { set: _set, chosen, ...others } = filter;
      if (chosen !== undefined && findsAll(others)) return chosen.size;
      return countFound(this.#engine, filter, this.#trigrams);
    };
    const { set, ...others } = requested;
    // The count of a set stays in the cache for longer than the set's choice, because a choice
    // takes more memory.
    const isSetAlone = set !== undefined && findsAll(others);
    return isSetAlone ? this.#setCounts.read({ ...requested, set }, countNow) : countNow();
  }

  total(): Promise<number> {
    return this.#total.read();
  }

  async facets(filter: RecordFilter, options?: FacetOptions): Promise<Facets> {
    return countFacets(this.#engine, await this.#withChoice(filter), this.#trigrams, options);
  }

  async initials(filter: RecordFilter, order?: InitialOrder): Promise<Initial[]> {
    return countInitials(this.#engine, await this.#withChoice(filter), this.#trigrams, order);
  }

  async details(ids: readonly number[]): Promise<ReadonlyMap<number, ListedDetail>> {
    const { read } = this.#engine;
    const rows = await read
      .selectFrom('listed_release as release')
      .select([
        'release.id',
        'release.description',
        romsOf(read).as('roms'),
        cloneOf.as('clone_of'),
      ])
      .where(sql<boolean>`release.id IN ${read.dialect.list(ids, 'integer')}`)
      .execute();
    return new Map(
      rows.map(({ id, description, roms, clone_of }) => [
        id,
        { description, roms: JSON.parse(roms), cloneOf: clone_of ?? '' },
      ]),
    );
  }

  async listByIds(ids: readonly number[]): Promise<ListedRelease[]> {
    const { read } = this.#engine;
    const rows = await read
      .selectFrom('listed_release as release')
      .leftJoin('platform', 'platform.id', 'release.platform_id')
      .select([...itemColumns, 'platform.name as platform'])
      .where(sql<boolean>`release.id IN ${read.dialect.list(ids, 'integer')}`)
      .execute();
    return rows.map((row) => ({ ...row, platform: row.platform ?? '' }));
  }

  async find(id: number): Promise<FoundRelease | null> {
    const [row] = await this.#detail(this.#engine.read, { id });
    return row === undefined ? null : toRelease(row);
  }

  async findWhole(id: number): Promise<WholeRelease | null> {
    const { read } = this.#engine;
    const row = await selectDetail(read)
      .where('release.id', '=', id)
      .select([
        sourceRowsOf(read).as('sources'),
        editsOf(read).as('edits'),
        importedFacts(read, id).as('facts'),
      ])
      .executeTakeFirst();
    if (row === undefined) return null;
    const sources = toSourceRows(row.sources);
    const edits = toEdits(row.edits, sources, JSON.parse(row.facts));
    return { ...toRelease(row), sources, edits };
  }

  async findRevision(id: number): Promise<number | null> {
    const query = this.#engine.read.selectFrom('listed_release').select('revision');
    return (await query.where('id', '=', id).executeTakeFirst())?.revision ?? null;
  }

  edit(
    id: number,
    edit: ReleaseEdit,
    actor: Actor,
    expected: ExpectedRevisions = null,
  ): Promise<number | null> {
    const at = this.#clock.timestamp();
    return writeAs(this.#engine, { actor, at }, (trx, author) =>
      applyEdit(trx, id, edit, { at, author, expected }),
    );
  }

  dropEdit(
    id: number,
    field: EditableField,
    actor: Actor,
    expected: ExpectedRevisions = null,
  ): Promise<number | null> {
    const at = this.#clock.timestamp();
    return writeAs(this.#engine, { actor, at }, (trx, author) =>
      dropEdit(trx, id, field, { at, author, expected }),
    );
  }

  /**
   * Adds the ids of the chosen releases, if the set of the filter has a preference that chooses
   * among releases.
   */
  async #withChoice<F extends RecordFilter>(filter: F): Promise<F> {
    const { set, coveredIds } = filter;
    if (set === undefined || !chooses(set.prefer)) return filter;
    return {
      ...filter,
      chosen: await this.#choices.read({ set, ...(coveredIds && { coveredIds }) }),
    };
  }
}

function findsAll(filter: RecordFilter): boolean {
  const { system, q, search, platform, region, library, cover, genre, year, publisher } = filter;
  if (filter.set !== undefined) return false;
  const texts = [system, q, search, platform, region, library, cover, genre, year, publisher];
  return texts.every((text = '') => text === '');
}

function compileDetail(db: Database) {
  return compileQuery((param: ParamOf<{ id: number }>) =>
    selectDetail(db).where('release.id', '=', param('id')),
  );
}

/**
 * Returns the query for all details of a release. The query is one statement, so that an import
 * cannot change details between two reads.
 */
function selectDetail(db: Database) {
  return db
    .selectFrom('listed_release as release')
    .leftJoin('platform', 'platform.id', 'release.platform_id')
    .leftJoin('release_meta', 'release_meta.release_id', 'release.id')
    .select([...itemColumns, ...detailColumns, 'release.revision'])
    .select(['platform.name as platform', ...metaColumns, 'release_meta.franchise'])
    .select(romsOf(db).as('roms'));
}

function toRelease(row: DetailRow): FoundRelease {
  return {
    id: row.id,
    system: row.system,
    ...(Object.fromEntries(ownFields.map((field) => [field, row[field]])) as OwnTexts),
    revision: row.revision,
    platform: row.platform ?? '',
    franchise: row.franchise ?? '',
    roms: JSON.parse(row.roms),
    meta: toMetadata(row),
  };
}

/**
 * The parent of `release` in a DAT. If the sources state several parents, the first by name is
 * used, as for groups.
 */
const cloneOf = sql<string | null>`(SELECT min(said.clone_of) FROM source_row AS said
  WHERE said.release_id = release.id AND said.clone_of <> '')`;

/** Returns the ROMs of `release` as JSON, ordered by position. */
function romsOf({ dialect }: Database) {
  const fields = romFields.map((field) => [field, sql.ref(`rom.${field}`)] as const);
  const roms = dialect.jsonArray(
    dialect.jsonObject(Object.fromEntries(fields)),
    sql.ref('rom.position'),
  );
  return sql<string>`(SELECT ${roms} FROM rom WHERE rom.release_id = release.id)`;
}
