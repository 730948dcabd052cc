import { AbortableRuns, throwBusyIfLeft } from '../shared/concurrency/abortable-runs.ts';
import { changedMeanwhile, notFound } from '../shared/errors.ts';
import { digestOf } from '../shared/id-marks.ts';
import type { EditableField } from '../shared/release-fields.ts';
import { comparesOneOf, type SelectedSet } from '../shared/release-rule.ts';
import type { Actor } from '../shared/requests/actor.ts';
import { type ClientContext, currentClient } from '../shared/requests/client-context.ts';
import { checkWords, isUnsearchable } from '../shared/search-text.ts';
import { checkValues, filterText, filterValues } from './filter-values.ts';
import type {
  CoveredReleases,
  ExpectedRevisions,
  ExtraFacet,
  FacetOptions,
  Facets,
  FoundRelease,
  Initial,
  InitialOrder,
  ListedDetail,
  ListedRelease,
  PageOfList,
  RecordFilter,
  ReleaseFilter,
  ReleaseQuery,
  ReleaseRecords,
  WholeRelease,
} from './ports.ts';
import { checkLengths, type ReleaseEdit } from './release.ts';
import type { ReleaseLayout } from './release-layout.ts';

/** The filter that every release matches. */
const unfiltered: ReleaseFilter = { system: '', q: '', search: '', platform: '', region: '' };

/** Lists, searches, reads and edits the releases of the catalogue. */
export class Releases {
  readonly #records: ReleaseRecords;
  /**
   * The facets that are being counted. Concurrent callers share a count, because a count reads all
   * matches. Every page that opens the catalogue requests the same counts. A count stops when all
   * its callers have left.
   */
  readonly #facets = new AbortableRuns<Facets>();
  readonly #covers: CoveredReleases;
  /** The ids of the last set of releases with a cover. */
  #covered: { readonly set: ReadonlySet<number>; readonly ids: readonly number[] } | undefined;
  /**
   * The ids for each request. All reads of a request use the same ids, so that its list and its
   * count agree.
   */
  readonly #coveredOf = new WeakMap<ClientContext, Promise<readonly number[]>>();

  constructor(records: ReleaseRecords, covers: CoveredReleases) {
    this.#records = records;
    this.#covers = covers;
  }

  /**
   * Returns one page of the matches, in the order of the query. The default order is by name, then
   * id.
   */
  async list(query: ReleaseQuery): Promise<ListedRelease[]> {
    return matchesNothing(query) ? [] : this.#records.list(await this.#withCovers(query));
  }

  /**
   * Returns one page of the matches, by name, then id, as a text in which commas separate the
   * releases. `layout` describes the text of one release. It is applied where the rows are read.
   */
  async listAsText(
    filter: ReleaseFilter,
    page: PageOfList,
    layout: ReleaseLayout,
  ): Promise<string> {
    if (matchesNothing(filter)) return '';
    return this.#records.listAsText(await this.#withCovers(filter), page, layout);
  }

  /**
   * Yields the matches from `offset` on as texts of a few hundred releases, separated by commas.
   * Memory use does not depend on the number of matches. `layout` describes the text of one
   * release. It is applied where the rows are read.
   */
  async *streamAsText(
    filter: ReleaseFilter,
    offset: number,
    layout: ReleaseLayout,
  ): AsyncGenerator<string> {
    if (matchesNothing(filter)) return;
    yield* this.#records.streamAsText(await this.#withCovers(filter), offset, layout);
  }

  /**
   * Yields the releases of a platform or of a set without a file in the library, with their ROMs.
   * They are ordered by name and come in batches.
   */
  async *streamMissing({
    platform = '',
    set,
  }: Pick<Partial<ReleaseFilter>, 'platform' | 'set'>): AsyncGenerator<
    (ListedRelease & ListedDetail)[]
  > {
    const which = { platform: filterText(platform), set };
    const filter = { ...unfiltered, ...which, library: 'missing' } as const;
    for await (const batch of this.#stream(filter)) {
      const details = await this.#records.details(batch.map(({ id }) => id));
      yield batch.flatMap((release) => {
        const detail = details.get(release.id);
        return detail ? [{ ...release, ...detail }] : [];
      });
    }
  }

  async count(filter: ReleaseFilter): Promise<number> {
    return matchesNothing(filter) ? 0 : this.#records.count(await this.#withCovers(filter));
  }

  /** Returns the number of releases of a set. */
  countIn(set: SelectedSet): Promise<number> {
    return this.count({ ...unfiltered, set });
  }

  /** Returns the ids in `ids` whose releases meet the rule of a set. */
  async selectIds(set: SelectedSet, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const rule = { all: [{ field: 'release_ids', in: ids } as const, set.rule] };
    const page = { limit: ids.length, offset: 0 };
    const listed = await this.list({ ...unfiltered, ...page, set: { ...set, rule, prefer: null } });
    return new Set(listed.map(({ id }) => id));
  }

  /** Returns the first `limit` releases of a set by title. */
  firstIn(set: SelectedSet, limit: number): Promise<ListedRelease[]> {
    return this.list({ ...unfiltered, set, order: 'title', limit, offset: 0 });
  }

  /**
   * Returns functions that read the releases of a set that the library has, by platform. `name` is
   * the name of the set.
   */
  openSet(name: string, set: SelectedSet) {
    const inSet = { ...unfiltered, set };
    const platforms = async () => {
      const facets = await this.facets({ ...inSet, library: 'have' });
      return facets.platforms.map((platform) => platform.name);
    };
    const releases = (platform: string) =>
      this.#stream({ ...inSet, platform: filterText(platform), library: 'have' });
    const countMissing = () => this.count({ ...inSet, library: 'missing' });
    return { name, platforms, releases, countMissing };
  }

  /** Returns the releases with these ids, in this order. Unknown ids are skipped. */
  async listByIds(ids: readonly number[]): Promise<ListedRelease[]> {
    const found = await this.#records.listByIds(ids);
    const byId = new Map(found.map((release) => [release.id, release]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  total(): Promise<number> {
    return this.#records.total();
  }

  /** Counts the matches by their values. */
  async facets(filter: ReleaseFilter, options: FacetOptions = {}): Promise<Facets> {
    const { counting, extra = [] } = options;
    if (matchesNothing(filter)) return noFacets(options);
    const counted = await this.#withCovers(filter, extra.includes('cover'));
    const count = () => this.#records.facets(counted, options);
    const covers = counted.coveredIds && digestOf(counted.coveredIds);
    const { system, q, search, platform, region, library, genre, year, publisher, set } = filter;
    // Only clients of the same network share a count. Otherwise a client might have to wait for
    // another network's turn.
    const network = currentClient()?.network;
    const filters = [system, q, search, platform, region, library, genre, year, publisher];
    const key = [network, ...filters, filter.cover, covers, set?.key, counting, ...extra];
    return this.#facets.getNew(JSON.stringify(key), count).catch(throwBusyIfLeft);
  }

  async initials(filter: ReleaseFilter, order?: InitialOrder): Promise<Initial[]> {
    if (matchesNothing(filter)) return [];
    return this.#records.initials(await this.#withCovers(filter), order);
  }

  /** Returns a release. Throws `not found`. */
  async get(id: number): Promise<FoundRelease> {
    return foundOrThrow(await this.#records.find(id));
  }

  /**
   * Returns a release, the rows of its sources, and the fields that users edited. Throws
   * `not found`.
   */
  async getWhole(id: number): Promise<WholeRelease> {
    return foundOrThrow(await this.#records.findWhole(id));
  }

  /**
   * Throws `not found` if the release does not exist, or `changed meanwhile` if its revision is not
   * in `expected`. Takes less time than `get`.
   */
  async mustExist(id: number, expected: ExpectedRevisions = null): Promise<void> {
    const revision = foundOrThrow(await this.#records.findRevision(id));
    if (expected !== null && !expected.has(revision)) throw changedMeanwhile();
  }

  /**
   * Edits a release and returns its new revision. Later imports never overwrite the edited fields.
   * Throws a 422 for a text that is too long, and the errors of `mustExist`. The transaction checks
   * the revision again, so that a concurrent change is not overwritten.
   */
  async edit(
    id: number,
    edit: ReleaseEdit,
    actor: Actor,
    expected: ExpectedRevisions = null,
  ): Promise<number> {
    checkLengths(edit);
    const revision = await this.#records.edit(id, edit, actor, expected);
    return revision ?? this.#refuse(id, expected);
  }

  /**
   * Discards the edit of a field. From then on the field has the value from the imports, including
   * later ones. Returns the new revision. Throws the errors of `mustExist`.
   */
  async dropEdit(
    id: number,
    field: EditableField,
    actor: Actor,
    expected: ExpectedRevisions = null,
  ): Promise<number> {
    const revision = await this.#records.dropEdit(id, field, actor, expected);
    return revision ?? this.#refuse(id, expected);
  }

  async *#stream(filter: ReleaseFilter): AsyncGenerator<ListedRelease[]> {
    yield* this.#records.stream(await this.#withCovers(filter), 0);
  }

  /** Adds the ids of the releases with a cover, if the filter needs them or `isNeeded` is true. */
  async #withCovers<F extends ReleaseFilter>(
    filter: F,
    isNeeded = false,
  ): Promise<F & Pick<RecordFilter, 'coveredIds'>> {
    const { cover = '', set: selected } = filter;
    const isCompared = selected !== undefined && comparesOneOf(selected.rule, ['cover']);
    if (!isNeeded && cover === '' && !isCompared) return filter;
    const client = currentClient();
    if (client === undefined) return { ...filter, coveredIds: await this.#readCovers() };
    const reading = this.#coveredOf.get(client) ?? this.#readCovers();
    this.#coveredOf.set(client, reading);
    return { ...filter, coveredIds: await reading };
  }

  async #readCovers(): Promise<readonly number[]> {
    const set = await this.#covers.releasesWithCover();
    // The same array is used for the same set, so that the ids are converted only once.
    if (this.#covered?.set !== set) this.#covered = { set, ids: [...set] };
    return this.#covered.ids;
  }

  /** Throws the reason why nothing was written: `not found` or `changed meanwhile`. */
  async #refuse(id: number, expected: ExpectedRevisions): Promise<never> {
    if (expected === null) throw notFound();
    await this.mustExist(id);
    throw changedMeanwhile();
  }
}

function foundOrThrow<T>(found: T | null): T {
  if (found === null) throw notFound();
  return found;
}

/**
 * Returns true if no release can match the filter, so that no query is needed. Throws a 422 for a
 * search of too many words, or for too many values.
 */
function matchesNothing(filter: ReleaseFilter): boolean {
  checkWords(filter.search);
  const { system, q, search, platform, region, genre = '', year = '', publisher = '' } = filter;
  const several = { platform, region, genre, year, publisher };
  for (const [field, text] of Object.entries(several)) checkValues(field, text);
  const values = Object.values(several).flatMap(filterValues);
  return [system, q, search, ...values].some(isUnsearchable);
}

function noFacets({ extra = [] }: FacetOptions): Facets {
  const has = (name: ExtraFacet) => extra.includes(name);
  return {
    ...{ systems: [], platforms: [], regions: [] },
    ...(has('genre') && { genres: [] }),
    ...(has('year') && { years: [] }),
    ...(has('publisher') && { publishers: [] }),
    ...(has('library') && { library: { have: 0, missing: 0, verified: 0 } }),
    ...(has('cover') && { covers: { have: 0, missing: 0 } }),
  };
}
