import { currentAsker } from '../core/shared/asker.ts';
import { FairLimiter } from '../core/shared/fair-limiter.ts';
import type { Page } from './release-pages.ts';

/**
 * Releases per batch: for a list that reads its next batch while one is sent, and for the others.
 */
const batch = { ahead: 500, alone: 150 };
/**
 * Number of batches read concurrently for all lists together; the server's thread processes them
 * all.
 */
const batchesAtOnce = 2;
/** Number of lists that may read their next batch while one is sent; the others use less memory. */
const mostAhead = 2;

/** Some releases of a list, in any form. */
export interface Batch<Content> {
  readonly content: Content;
  readonly releases: number;
  /** Null if there are no releases. */
  readonly last: { readonly name: string; readonly id: number } | null;
}

/** Streams lists of releases from an offset to their end, by name, in batches. */
export class WholeLists {
  readonly #batches = new FairLimiter({ all: batchesAtOnce }, { most: 10_000, mostOfOne: 1_000 });
  #ahead = 0;

  /**
   * `read` reads one batch with one statement, because an open one would keep the write-ahead log
   * from shrinking.
   */
  async *stream<Content>(
    offset: number,
    read: (page: Omit<Page, 'order'>) => Promise<Batch<Content>>,
  ): AsyncGenerator<Content> {
    const readNext = (limit: number, part: Pick<Page, 'offset' | 'after'>) =>
      this.#batches.run(currentAsker()?.network ?? null, async () => {
        const { last, ...found } = await read({ ...part, limit });
        return { ...found, last: found.releases < limit ? null : last };
      });
    let page = await readNext(batch.alone, { offset });
    for (let after = page.last; after; after = page.last) {
      const last = after;
      const next = this.#beginNext((limit) => readNext(limit, { offset: 0, after: last }));
      try {
        yield page.content;
        page = await next.take();
      } finally {
        next.end();
      }
    }
    yield page.content;
  }

  #beginNext<Content>(read: (limit: number) => Promise<Batch<Content>>) {
    if (this.#ahead >= mostAhead) return { take: () => read(batch.alone), end: () => undefined };
    this.#ahead += 1;
    const reading = read(batch.ahead);
    reading.catch(() => undefined); // not awaited if the client has gone
    return {
      take: () => reading,
      end: () => {
        this.#ahead -= 1;
      },
    };
  }
}
