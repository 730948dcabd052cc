import type { ArchivePage, Area, ListedArchive } from '../api/store.ts';

/** Maximum number of archives per page. */
const pageSize = 100;

export interface ArchiveQuery {
  readonly system: Area;
  readonly search: string;
}

type ReadPage = (
  system: Area,
  part: { search: string; limit: number; offset: number },
  signal: AbortSignal,
) => Promise<ArchivePage>;

/**
 * The archives of one area that match a search. Pages are loaded on demand. A reload keeps the
 * current items until the response arrives.
 */
export class ArchiveListing {
  items: readonly ListedArchive[] = $state.raw([]);
  /** Number of archives on all pages; null until the first response. */
  total: number | null = $state(null);
  failure: unknown = $state.raw(null);
  isLoading = $state(false);
  readonly #read: ReadPage;
  #place: ArchiveQuery = { system: 'games', search: '' };
  #current: AbortController | null = null;

  constructor(read: ReadPage) {
    this.#read = read;
  }

  get hasMore(): boolean {
    return this.total !== null && this.items.length < this.total && !this.#isAtEnd;
  }
  #isAtEnd = false;

  /** Switches to another area or another search text, and loads the first page. Never rejects. */
  async open(place: ArchiveQuery): Promise<void> {
    if (place.system !== this.#place.system) {
      this.items = [];
      this.total = null;
    }
    this.#place = place;
    await this.#load(0, pageSize);
  }

  /** Loads the next page, unless all pages are loaded or a page is being loaded. */
  async more(): Promise<void> {
    if (this.hasMore && !this.isLoading) await this.#load(this.items.length, pageSize);
  }

  /** Reloads the listed archives, but at most the first 500. */
  async reload(): Promise<void> {
    await this.#load(0, Math.min(Math.max(this.items.length, pageSize), 500));
  }

  /** Removes an archive from the list after it was deleted on the server. */
  drop(archive: ListedArchive): void {
    this.items = this.items.filter((each) => each !== archive);
    if (this.total !== null) this.total -= 1;
  }

  close(): void {
    this.#current?.abort();
    this.#current = null;
  }

  /**
   * Loads `limit` archives, starting at index `offset`. First aborts any load in progress. Never
   * rejects.
   */
  async #load(offset: number, limit: number): Promise<void> {
    this.#current?.abort();
    const current = new AbortController();
    this.#current = current;
    this.isLoading = true;
    const { system, search } = this.#place;
    try {
      const { items, total } = await this.#read(system, { search, limit, offset }, current.signal);
      if (current !== this.#current) return;
      this.items = offset === 0 ? items : [...this.items, ...items];
      this.#isAtEnd = items.length === 0;
      this.total = total;
      this.failure = null;
    } catch (error) {
      if (current !== this.#current) return;
      this.failure = error;
    }
    this.isLoading = false;
  }
}
