type ReadPage<T> = (before: number | undefined, signal: AbortSignal) => Promise<readonly T[]>;

/** A list of entries, newest first. Pages of the list are loaded on demand. */
export class NewestList<T extends { readonly id: number }> {
  /** The entries that were read so far; null until the first response. */
  items: readonly T[] | null = $state.raw(null);
  failure: unknown = $state.raw(null);
  hasMore = $state(false);
  readonly #read: ReadPage<T>;
  readonly #pageSize: number;
  #current: AbortController | null = null;

  constructor(read: ReadPage<T>, pageSize: number) {
    this.#read = read;
    this.#pageSize = pageSize;
  }

  /** Loads the first page, which replaces all loaded entries. Never rejects. */
  async load(): Promise<void> {
    await this.#page(undefined);
  }

  /** Loads the next page and appends its entries. Never rejects. */
  async more(): Promise<void> {
    await this.#page(this.items?.at(-1)?.id);
  }

  close(): void {
    this.#current?.abort();
    this.#current = null;
  }

  async #page(before: number | undefined): Promise<void> {
    this.#current?.abort();
    const current = new AbortController();
    this.#current = current;
    try {
      const page = await this.#read(before, current.signal);
      if (current !== this.#current) return;
      this.items = before === undefined ? page : [...(this.items ?? []), ...page];
      this.hasMore = page.length === this.#pageSize;
      this.failure = null;
    } catch (error) {
      if (current === this.#current) this.failure = error;
    }
  }
}
