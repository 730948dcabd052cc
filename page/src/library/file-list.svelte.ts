import type { FileCounts, FileFilter, ListedFile, listFiles } from '../api/library.ts';

const pageSize = 100;
/**
 * Maximum number of cached pages. Beyond this number, the page that was read first is evicted.
 * Visible pages are never evicted.
 */
const maxPages = 60;

/**
 * The files of the library, accessed by index. Pages of the list are read when they become visible.
 */
export class FileList {
  /** Number of files that match the filter; null until the first response. */
  total: number | null = $state(null);
  counts: FileCounts | null = $state.raw(null);
  failure: unknown = $state.raw(null);
  /** The filter of the currently loaded files; null until the first response. */
  filter: FileFilter | null = $state.raw(null);
  #pages: ReadonlyMap<number, readonly ListedFile[]> = $state.raw(new Map());
  #reading = new Map<number, AbortController>();
  #opening: AbortController | null = null;
  /** The visible pages, `end` exclusive. */
  #visible: { readonly first: number; readonly end: number } = { first: 0, end: 0 };
  readonly #read: typeof listFiles;

  constructor(read: typeof listFiles) {
    this.#read = read;
  }

  /** Returns the file at an index, or undefined if the file is not loaded. */
  item(index: number): ListedFile | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  /** Returns the list index of a loaded file, or -1 if the file is not loaded. */
  indexOf(id: number): number {
    for (const [page, items] of this.#pages) {
      const at = items.findIndex((each) => each.id === id);
      if (at >= 0) return page * pageSize + at;
    }
    return -1;
  }

  /**
   * Loads the list with this filter, from the page that contains the index `at`. The current items
   * stay visible until the response arrives. Never rejects.
   */
  async open(filter: FileFilter, at = 0): Promise<void> {
    this.close();
    const opening = new AbortController();
    this.#opening = opening;
    const page = Math.floor(at / pageSize);
    try {
      const { items, total, counts } = await this.#readPage(filter, page, opening.signal);
      if (this.#opening !== opening) return;
      this.#pages = new Map([[page, items]]);
      this.filter = filter;
      this.total = total;
      this.counts = counts ?? null;
      this.failure = null;
    } catch (error) {
      if (this.#opening === opening) this.failure = error;
    }
    if (this.#opening === opening) this.#opening = null;
  }

  /**
   * Reads the visible pages that are not loaded. `first` and `end` are the indices of the visible
   * files, `end` exclusive. Aborts reads of pages that are no longer visible. Reads nothing while
   * another list is opened, because its pages are not those of the current list.
   */
  loadVisible(first: number, end: number): void {
    this.#visible = { first: Math.floor(first / pageSize), end: Math.ceil(end / pageSize) };
    if (this.filter === null || this.#opening !== null) return;
    for (const [page, reading] of this.#reading) if (!this.#isVisible(page)) reading.abort();
    for (let page = this.#visible.first; page < this.#visible.end; page++) {
      if (!this.#pages.has(page) && !this.#reading.has(page)) void this.#load(this.filter, page);
    }
  }

  close(): void {
    this.#opening?.abort();
    this.#opening = null;
    for (const reading of this.#reading.values()) reading.abort();
    this.#reading.clear();
  }

  #isVisible(page: number): boolean {
    return page >= this.#visible.first && page < this.#visible.end;
  }

  async #load(filter: FileFilter, page: number): Promise<void> {
    const reading = new AbortController();
    this.#reading.set(page, reading);
    try {
      const { items, total, counts } = await this.#readPage(filter, page, reading.signal);
      if (reading.signal.aborted) return;
      this.#keep(page, items);
      this.total = total;
      this.counts = counts ?? null;
      this.failure = null;
    } catch (error) {
      if (!reading.signal.aborted) this.failure = error;
    } finally {
      if (this.#reading.get(page) === reading) this.#reading.delete(page);
    }
  }

  #readPage(filter: FileFilter, page: number, signal: AbortSignal): ReturnType<typeof listFiles> {
    return this.#read(filter, { offset: page * pageSize, limit: pageSize }, signal);
  }

  #keep(page: number, items: readonly ListedFile[]): void {
    const pages = new Map([...this.#pages, [page, items] as const]);
    for (const old of pages.keys()) {
      if (pages.size <= maxPages) break;
      if (!this.#isVisible(old) && old !== page) pages.delete(old);
    }
    this.#pages = pages;
  }
}
