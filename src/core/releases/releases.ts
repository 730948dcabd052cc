import type { Actor } from '../shared/actor.ts';
import { askedTogether, currentAsker } from '../shared/asker.ts';
import { changedMeanwhile, notFound } from '../shared/errors.ts';
import type { EditableField } from '../shared/release-fields.ts';
import { checkWords, isNoSearch } from '../shared/search-text.ts';
import { SharedRuns } from '../shared/shared-runs.ts';
import type {
  Expected,
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

/** The catalogue: listing, searching, reading and editing releases. */
export class Releases {
  readonly #records: ReleaseRecords;
  /**
   * Shared, because counting reads all matches and every page that opens the catalogue asks for the
   * same counts.
   */
  readonly #facets = new SharedRuns<Facets>();

  constructor(records: ReleaseRecords) {
    this.#records = records;
  }

  /** Returns one page, ordered by name, then id, unless the query says otherwise. */
  async list(query: ReleaseQuery): Promise<ListedRelease[]> {
    return findsNothing(query) ? [] : this.#records.list(query);
  }

  /**
   * Streams the list from `offset` in constant memory, as chunks of a few hundred releases with
   * commas between them. `layout` renders them where they are read.
   */
  async *streamWritten(
    filter: ReleaseFilter,
    offset: number,
    layout: ReleaseLayout,
  ): AsyncGenerator<string> {
    if (!findsNothing(filter)) yield* this.#records.streamWritten(filter, offset, layout);
  }

  /**
   * Streams the releases of a platform without a library file, by name, with their ROMs, in
   * batches.
   */
  async *streamMissing(platform: string): AsyncGenerator<(ListedRelease & ListedDetail)[]> {
    const filter = {
      system: '',
      q: '',
      search: '',
      platform,
      region: '',
      library: 'missing',
    } as const;
    for await (const batch of this.#records.stream(filter, 0)) {
      const details = await this.#records.details(batch.map(({ id }) => id));
      yield batch.flatMap((release) => {
        const detail = details.get(release.id);
        return detail ? [{ ...release, ...detail }] : [];
      });
    }
  }

  async count(filter: ReleaseFilter): Promise<number> {
    return findsNothing(filter) ? 0 : this.#records.count(filter);
  }

  total(): Promise<number> {
    return this.#records.total();
  }

  async facets(filter: ReleaseFilter, counting?: FacetCounting): Promise<Facets> {
    if (findsNothing(filter)) return { systems: [], platforms: [], regions: [] };
    const { system, q, search, platform, region, library } = filter;
    // Clients of different networks do not share a run, or one would wait for the other's turn.
    const network = currentAsker()?.network;
    const filters = [system, q, search, platform, region, library, counting];
    return this.#facets.run(JSON.stringify([network, ...filters]), () =>
      askedTogether(() => this.#records.facets(filter, counting)),
    );
  }

  async initials(filter: ReleaseFilter): Promise<Initial[]> {
    return findsNothing(filter) ? [] : this.#records.initials(filter);
  }

  /** Throws `not found`. */
  async get(id: number): Promise<FoundRelease> {
    return known(await this.#records.find(id));
  }

  /**
   * Returns a release with the data of its sources and the edits made by hand. Throws `not found`.
   */
  async getWhole(id: number): Promise<WholeRelease> {
    return known(await this.#records.findWhole(id));
  }

  /**
   * Throws `not found`, and `changed meanwhile` when its revision is not expected; cheaper than
   * `get`.
   */
  async mustExist(id: number, expected: Expected = null): Promise<void> {
    const revision = known(await this.#records.findRevision(id));
    if (expected !== null && !expected.has(revision)) throw changedMeanwhile();
  }

  /**
   * Edits a release; imports never overwrite the edited fields. Returns the new revision. Throws a
   * 422 for a text that is too long. Also throws as `mustExist`, even when the release changed
   * after that check.
   */
  async edit(
    id: number,
    edit: ReleaseEdit,
    actor: Actor,
    expected: Expected = null,
  ): Promise<number> {
    checkLengths(edit);
    const revision = await this.#records.edit(id, edit, actor, expected);
    return revision ?? this.#refuse(id, expected);
  }

  /**
   * Drops the edit of a field, which then shows and follows the imports' value again. Returns and
   * throws as `edit`.
   */
  async dropEdit(
    id: number,
    field: EditableField,
    actor: Actor,
    expected: Expected = null,
  ): Promise<number> {
    const revision = await this.#records.dropEdit(id, field, actor, expected);
    return revision ?? this.#refuse(id, expected);
  }

  /** Throws the reason why nothing was written. */
  async #refuse(id: number, expected: Expected): Promise<never> {
    if (expected === null) throw notFound();
    await this.mustExist(id);
    throw changedMeanwhile();
  }
}

function known<T>(found: T | null): T {
  if (found === null) throw notFound();
  return found;
}

/** Returns whether the filter can match nothing. Throws a 422 for a search of too many words. */
function findsNothing(filter: ReleaseFilter): boolean {
  checkWords(filter.search);
  const texts = [filter.system, filter.q, filter.search, filter.platform, filter.region];
  return texts.some(isNoSearch);
}
