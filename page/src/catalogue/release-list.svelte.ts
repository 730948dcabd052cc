import type { ReleaseItem } from '../api/model.ts';
import type { ReleasePage } from '../api/releases.ts';
import { Refusal } from '../api/request.ts';
import { type CatalogueLocation, isSameList, locationUrl } from './catalogue-location.ts';

type ReadPage = (
  place: CatalogueLocation,
  stretch: { offset: number; limit: number; wantsTotal: boolean },
  signal: AbortSignal,
) => Promise<ReleasePage>;

const pageSize = 100;
/**
 * Maximum number of cached pages. Beyond this number, the page that was read first is evicted.
 * Visible pages are never evicted.
 */
const maxPages = 60;

/** A list of releases, accessed by index. Pages of the list are read when they become visible. */
export class ReleaseList {
  /** Number of releases in the list; null until the first response. */
  total: number | null = $state(null);
  /** The error of the last failed read, or null. */
  failure: unknown = $state.raw(null);
  /** The view whose releases are currently loaded; null if no releases are loaded. */
  place: CatalogueLocation | null = $state.raw(null);
  #pages: ReadonlyMap<number, readonly ReleaseItem[]> = $state.raw(new Map());
  #reading = new Map<number, AbortController>();
  #opening: AbortController | null = null;
  #wanted: { first: number; end: number } = { first: 0, end: 0 };
  /**
   * The last call of `open`, used to recognize a repeated call:
   * - `what`: the reader and the list,
   * - `at`: the time of the call, in milliseconds since 1970,
   * - `result`: the result of the call.
   */
  #lastOpen: { readonly what: string; readonly at: number; readonly result: Promise<void> } | null =
    null;
  /** User id that was passed to the last call of `open`. Another user may see another order. */
  #reader: number | null = null;
  readonly #read: ReadPage;

  constructor(read: ReadPage) {
    this.#read = read;
  }

  /** Returns the release at an index, or undefined if the release is not loaded. */
  item(index: number): ReleaseItem | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  /**
   * Returns the error that prevented the list at a location from loading, or null if there is none.
   * While there is such an error, the loaded releases belong to another list.
   */
  failureOf(place: CatalogueLocation): unknown {
    const isLoaded = this.place !== null && isSameList(this.place, place);
    return isLoaded ? null : this.failure;
  }

  /**
   * Opens another list, or reloads the current list. The current items stay visible until the
   * response arrives. If the same reader (a user id) opens the same list twice within one second,
   * returns the first result. Never rejects.
   */
  open(place: CatalogueLocation, reader: number | null = null): Promise<void> {
    const last = this.#lastOpen;
    const what = `${reader} ${locationUrl(place)}`;
    const isFresh = last !== null && Date.now() - last.at < 1000 && this.failure === null;
    if (isFresh && last.what === what) return last.result;
    const result = this.#open(place, this.#reader === reader);
    this.#reader = reader;
    this.#lastOpen = { what, at: Date.now(), result };
    return result;
  }

  /**
   * Reloads the whole list. Call `refresh` after a change that may affect any page. Never rejects.
   */
  async refresh(): Promise<void> {
    const { place } = this;
    if (place === null) return;
    this.#lastOpen = null;
    await this.#open(place, false);
    this.loadVisible(this.#wanted.first * pageSize, this.#wanted.end * pageSize);
  }

  /**
   * Discards the loaded releases. Call `discard` if the list may now contain other releases, even
   * if their number is the same. `open` alone would keep the loaded pages in that case.
   */
  discard(): void {
    this.#lastOpen = null;
    this.#pages = new Map();
    this.total = null;
    this.place = null;
  }

  async #open(place: CatalogueLocation, mayKeep = true): Promise<void> {
    this.#opening?.abort();
    for (const reading of this.#reading.values()) reading.abort();
    this.#reading.clear();
    const opening = new AbortController();
    this.#opening = opening;
    const page = Math.floor(place.at / pageSize);
    // The last error may belong to another list.
    if (this.place !== null && isSameList(this.place, place)) this.failure = null;
    try {
      const stretch = { offset: page * pageSize, limit: pageSize, wantsTotal: true };
      const { items, total = 0 } = await this.#read(place, stretch, opening.signal);
      if (this.#opening !== opening) return;
      const isSame = this.place !== null && isSameList(this.place, place);
      const isUnchanged = mayKeep && isSame && this.total === total;
      this.#pages = new Map([...(isUnchanged ? this.#pages : []), [page, items]]);
      this.total = total;
      this.place = place;
      this.failure = null;
    } catch (error) {
      if (this.#opening === opening) this.#fail(error);
    }
    if (this.#opening === opening) this.#opening = null;
  }

  /**
   * Reads the visible pages that are not loaded. `first` and `end` are the indices of the visible
   * releases, `end` exclusive. Aborts reads of pages that are no longer visible.
   */
  loadVisible(first: number, end: number): void {
    this.#wanted = { first: Math.floor(first / pageSize), end: Math.ceil(end / pageSize) };
    if (this.total === null || this.#opening) return;
    for (const [page, reading] of this.#reading) if (!this.#isWanted(page)) reading.abort();
    for (let page = this.#wanted.first; page < this.#wanted.end; page++) void this.#readPage(page);
  }

  /** Reads the visible pages again after a read has failed. */
  retry(): void {
    const { place } = this;
    if (place === null) return;
    this.failure = null;
    this.loadVisible(this.#wanted.first * pageSize, this.#wanted.end * pageSize);
  }

  /**
   * Returns all releases from index `first` to `end`, which is exclusive. Reads pages that are not
   * loaded. Throws if a read fails.
   */
  async loadRange(first: number, end: number): Promise<ReleaseItem[]> {
    const found: ReleaseItem[] = [];
    for (let index = first; index < end; index++) {
      if (this.item(index) === undefined) await this.#readPage(Math.floor(index / pageSize), true);
      const item = this.item(index);
      if (item) found.push(item);
    }
    return found;
  }

  /** Returns the list index of a loaded release, or -1 if the release is not loaded. */
  indexOf(id: number): number {
    for (const [page, items] of this.#pages) {
      const at = items.findIndex((each) => each.id === id);
      if (at >= 0) return page * pageSize + at;
    }
    return -1;
  }

  /**
   * Changes fields of a release in the loaded list, without a request. Does nothing if the release
   * is not loaded.
   */
  patch(id: number, change: Partial<ReleaseItem>): void {
    const index = this.indexOf(id);
    const old = this.item(index);
    if (!old) return;
    const page = Math.floor(index / pageSize);
    const items = this.#pages.get(page)?.with(index % pageSize, { ...old, ...change }) ?? [];
    this.#pages = new Map([...this.#pages, [page, items]]);
  }

  /**
   * Records a failure. The items stay visible, except after a 401, because then the user must sign
   * in to see the items.
   */
  #fail(error: unknown): void {
    this.failure = error;
    if (!(error instanceof Refusal) || error.status !== 401) return;
    this.#pages = new Map();
    this.total = null;
    this.place = null;
  }

  #isWanted(page: number): boolean {
    return page >= this.#wanted.first && page < this.#wanted.end;
  }

  async #readPage(page: number, isNeeded = false): Promise<void> {
    const { place } = this;
    if (place === null || this.#pages.has(page) || (this.#reading.has(page) && !isNeeded)) return;
    const reading = new AbortController();
    this.#reading.set(page, reading);
    try {
      const stretch = { offset: page * pageSize, limit: pageSize, wantsTotal: false };
      const { items } = await this.#read(place, stretch, reading.signal);
      if (this.place === place && !reading.signal.aborted) this.#keep(page, items);
    } catch (error) {
      if (isNeeded) throw error;
      if (!reading.signal.aborted) this.failure = error;
    } finally {
      if (this.#reading.get(page) === reading) this.#reading.delete(page);
    }
  }

  #keep(page: number, items: readonly ReleaseItem[]): void {
    const pages = new Map([...this.#pages, [page, items]]);
    for (const old of pages.keys()) {
      if (pages.size <= maxPages) break;
      if (!this.#isWanted(old) && old !== page) pages.delete(old);
    }
    this.#pages = pages;
    this.failure = null;
  }
}
