import { FairLimiter } from '../../core/shared/concurrency/fair-limiter.ts';
import { currentClient } from '../../core/shared/requests/client-context.ts';
import type { Position } from './list-sort.ts';
import type { Page } from './release-pages.ts';

/**
 * Number of releases per batch. `ahead` applies to lists that read the next batch while the current
 * batch is sent. `alone` applies to all other lists.
 */
const batch = { ahead: 500, alone: 150 };
/**
 * Maximum number of batches that are read at once, for all lists together. All batches are
 * processed on the server's thread.
 */
const batchesAtOnce = 2;
/**
 * Maximum number of lists that read the next batch while the current batch is sent. All other lists
 * read the next batch after the current one is sent, which takes less memory.
 */
const maxPrefetching = 2;

/**
 * A batch of releases. The type of `content` depends on the form in which the releases are read.
 */
export interface Batch<Content> {
  readonly content: Content;
  readonly releases: number;
  /** The last release, or null if the batch is empty. */
  readonly last: Position | null;
}

/**
 * Streams lists of releases, sorted by name, in batches. A stream begins at an offset and ends with
 * the list.
 */
export class FullListStreams {
  readonly #batches = new FairLimiter({ all: batchesAtOnce }, { max: 10_000, maxPerOwner: 1_000 });
  #ahead = 0;

  /**
   * Streams a list. `read` must read each batch with one complete statement. A statement that stays
   * open would keep the write-ahead log from shrinking.
   */
  async *stream<Content>(
    offset: number,
    read: (page: Omit<Page, 'order'>) => Promise<Batch<Content>>,
  ): AsyncGenerator<Content> {
    const readNext = (limit: number, part: Pick<Page, 'offset' | 'after'>) =>
      this.#batches.run(currentClient()?.network ?? null, async () => {
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
    if (this.#ahead >= maxPrefetching)
      return { take: () => read(batch.alone), end: () => undefined };
    this.#ahead += 1;
    const reading = read(batch.ahead);
    reading.catch(() => undefined); // `take` is not called if the client has disconnected
    return {
      take: () => reading,
      end: () => {
        this.#ahead -= 1;
      },
    };
  }
}
