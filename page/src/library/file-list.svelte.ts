import type { FileCounts, FileFilter, ListedFile, listFiles } from '../api/library.ts';

const pageSize = 100;
/** Maximum number of cached pages. Beyond this number, the page that was read first is evicted. */
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
    await this.#readPage(filter, Math.floor(at / pageSize), true);
  }

  /**
   * Reads the visible pages that are not loaded. `first` and `end` are the indices of the visible
   * files, `end` exclusive. Aborts reads of pages that are no longer visible.
   */
  loadVisible(first: number, end: number): void {
    const { filter } = this;
    if (filter === null) return;
    const from = Math.floor(first / pageSize);
    const to = Math.ceil(end / pageSize);
    for (const [page, reading] of this.#reading) if (page < from || page >= to) reading.abort();
    for (let page = from; page < to; page++) {
      if (!this.#pages.has(page) && !this.#reading.has(page))
        void this.#readPage(filter, page, false);
    }
  }

  close(): void {
    for (const reading of this.#reading.values()) reading.abort();
    this.#reading.clear();
  }

  async #readPage(filter: FileFilter, page: number, isNew: boolean): Promise<void> {
    const reading = new AbortController();
    this.#reading.set(page, reading);
    try {
      const stretch = { offset: page * pageSize, limit: pageSize };
      const { items, total, counts } = await this.#read(filter, stretch, reading.signal);
      if (reading.signal.aborted) return;
      const kept = new Map([...(isNew ? [] : this.#pages), [page, items] as const]);
      for (const old of kept.keys()) if (kept.size > maxPages && old !== page) kept.delete(old);
      this.#pages = kept;
      this.filter = filter;
      this.total = total;
      this.counts = counts ?? null;
      this.failure = null;
    } catch (error) {
      if (!reading.signal.aborted) this.failure = error;
    } finally {
      if (this.#reading.get(page) === reading) this.#reading.delete(page);
    }
  }
}
