import { SharedRuns } from '../shared/concurrency/shared-runs.ts';
import { changedMeanwhile, notFound } from '../shared/errors.ts';
import type { EditableField } from '../shared/release-fields.ts';
import type { SelectedSet } from '../shared/release-rule.ts';
import type { Actor } from '../shared/requests/actor.ts';
import { currentClient, withClientNetwork } from '../shared/requests/client-context.ts';
import { checkWords, isUnsearchable } from '../shared/search-text.ts';
import type {
  ExpectedRevisions,
  FacetCounting,
  Facets,
  FoundRelease,
  Initial,
  ListedDetail,
  ListedRelease,
  ReleaseFilter,
  ReleaseLayout,
  ReleaseQuery,
  ReleaseRecords,
  WholeRelease,
} from './ports.ts';
import { checkLengths, type ReleaseEdit } from './release.ts';

/** The filter that every release matches. */
const unfiltered: ReleaseFilter = { system: '', q: '', search: '', platform: '', region: '' };

/** Lists, searches, reads and edits the releases of the catalogue. */
export class Releases {
  readonly #records: ReleaseRecords;
  /**
   * The facets that are being counted. Concurrent callers share a count, because a count reads all
   * matches. Every page that opens the catalogue requests the same counts.
   */
  readonly #facets = new SharedRuns<Facets>();

  constructor(records: ReleaseRecords) {
    this.#records = records;
  }

  /**
   * Returns one page of the matches, in the order of the query. The default order is by name, then
   * id.
   */
  async list(query: ReleaseQuery): Promise<ListedRelease[]> {
    return matchesNothing(query) ? [] : this.#records.list(query);
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
    if (!matchesNothing(filter)) yield* this.#records.streamAsText(filter, offset, layout);
  }

  /**
   * Yields the releases of a platform or of a set without a file in the library, with their ROMs.
   * They are ordered by name and come in batches.
   */
  async *streamMissing(
    which: Pick<Partial<ReleaseFilter>, 'platform' | 'set'>,
  ): AsyncGenerator<(ListedRelease & ListedDetail)[]> {
    const filter = { ...unfiltered, ...which, library: 'missing' } as const;
    for await (const batch of this.#records.stream(filter, 0)) {
      const details = await this.#records.details(batch.map(({ id }) => id));
      yield batch.flatMap((release) => {
        const detail = details.get(release.id);
        return detail ? [{ ...release, ...detail }] : [];
      });
    }
  }

  async count(filter: ReleaseFilter): Promise<number> {
    return matchesNothing(filter) ? 0 : this.#records.count(filter);
  }

  /** Returns the number of releases of a set. */
  countIn(set: SelectedSet): Promise<number> {
    return this.count({ ...unfiltered, set });
  }

  /**
   * Returns a reader of those releases of a set that the library has, by platform. `name` is the
   * name of the set.
   */
  openSet(name: string, set: SelectedSet) {
    const inSet = { ...unfiltered, set };
    const platforms = async () => {
      const facets = await this.facets({ ...inSet, library: 'have' });
      return facets.platforms.map((platform) => platform.name);
    };
    const releases = (platform: string) =>
      this.#records.stream({ ...inSet, platform, library: 'have' }, 0);
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

  async facets(filter: ReleaseFilter, counting?: FacetCounting): Promise<Facets> {
    if (matchesNothing(filter)) return { systems: [], platforms: [], regions: [] };
    const { system, q, search, platform, region, library, set } = filter;
    // Only clients of the same network share a count. Otherwise a client might have to wait for
    // another network's turn.
    const network = currentClient()?.network;
    const filters = [system, q, search, platform, region, library, set?.key, counting];
    return this.#facets.run(JSON.stringify([network, ...filters]), () =>
      withClientNetwork(() => this.#records.facets(filter, counting)),
    );
  }

  async initials(filter: ReleaseFilter): Promise<Initial[]> {
    return matchesNothing(filter) ? [] : this.#records.initials(filter);
  }

  /** Returns a release. Throws `not found`. */
  async get(id: number): Promise<FoundRelease> {
    return foundOrThrow(await this.#records.find(id));
  }

  /**
   * Returns a release, the rows of its sources, and the fields that were edited by hand. Throws
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
 * search of too many words.
 */
function matchesNothing(filter: ReleaseFilter): boolean {
  checkWords(filter.search);
  const texts = [filter.system, filter.q, filter.search, filter.platform, filter.region];
  return texts.some(isUnsearchable);
}
