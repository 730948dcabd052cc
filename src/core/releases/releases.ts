import type { Actor } from '../shared/actor.ts';
import { notFound } from '../shared/errors.ts';
import type {
  Facets,
  Initial,
  ListedRelease,
  ReleaseFilter,
  ReleaseQuery,
  ReleaseRecords,
} from './ports.ts';
import type { ReleaseDetail, ReleaseEdit } from './release.ts';

/** The catalogue: listing, searching, reading and editing releases. */
export class Releases {
  readonly #records: ReleaseRecords;

  constructor(records: ReleaseRecords) {
    this.#records = records;
  }

  /** One page, ordered by name, then id. */
  async list(query: ReleaseQuery): Promise<ListedRelease[]> {
    return findsNothing(query) ? [] : this.#records.list(query);
  }

  /** The rest of the list from the offset on, in batches, in flat memory however long it is. */
  async *stream(filter: ReleaseFilter, offset: number): AsyncGenerator<ListedRelease[]> {
    if (!findsNothing(filter)) yield* this.#records.stream(filter, offset);
  }

  async count(filter: ReleaseFilter): Promise<number> {
    return findsNothing(filter) ? 0 : this.#records.count(filter);
  }

  /** How many releases there are. */
  total(): Promise<number> {
    return this.#records.total();
  }

  async facets(filter: ReleaseFilter): Promise<Facets> {
    if (findsNothing(filter)) return { systems: [], platforms: [], regions: [] };
    return this.#records.facets(filter);
  }

  async initials(filter: ReleaseFilter): Promise<Initial[]> {
    return findsNothing(filter) ? [] : this.#records.initials(filter);
  }

  /** Throws `not found`. */
  async get(id: number): Promise<ReleaseDetail & { platform: string; franchise: string }> {
    const release = await this.#records.find(id);
    if (release === null) throw notFound();
    return release;
  }

  /** Throws `not found`; cheaper than `get`. */
  async mustExist(id: number): Promise<void> {
    if (!(await this.#records.exists(id))) throw notFound();
  }

  /** Throws `not found`. What is edited here is never overwritten by an import. */
  async edit(id: number, edit: ReleaseEdit, actor: Actor): Promise<void> {
    if (!(await this.#records.edit(id, edit, actor))) throw notFound();
  }
}

/** Text that could only be a mistake or an attack finds nothing, at no cost (decisions.md). */
function findsNothing(filter: ReleaseFilter): boolean {
  const texts = [filter.system, filter.q, filter.search, filter.platform, filter.region];
  return texts.some((text) => text.includes('\0') || [...text].length > 1000);
}
