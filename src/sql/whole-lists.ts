import type { ListedRelease, ReleaseFilter } from '../core/releases/ports.ts';
import { currentAsker } from '../core/shared/asker.ts';
import { FairLimiter } from '../core/shared/fair-limiter.ts';
import type { Page, ReleasePages } from './release-pages.ts';

/** Rows of one batch of a whole list. */
const batch = 250;
/** Batches that are read at a time, however many read a list: the thread of the server takes them all. */
const batchesAtOnce = 2;
/** Lists of which the next batch is read while one is sent; the others take less memory. */
const mostAhead = 4;

/** The list of releases from an offset to its end, in batches. */
export class WholeLists {
  readonly #pages: Pick<ReleasePages, 'read'>;
  readonly #batches = new FairLimiter({ all: batchesAtOnce }, { most: 10_000, mostOfOne: 1_000 });
  #ahead = 0;

  constructor(pages: Pick<ReleasePages, 'read'>) {
    this.#pages = pages;
  }

  /** By name. One statement per batch: an open one would keep the write-ahead log from shrinking. */
  async *stream(filter: ReleaseFilter, offset: number): AsyncGenerator<ListedRelease[]> {
    const read = (part: Pick<Page, 'offset' | 'after'>) =>
      this.#batches.run(currentAsker()?.network ?? null, () =>
        this.#pages.read(filter, { ...part, limit: batch }),
      );
    let page = await read({ offset });
    for (let after = page.at(-1); after; after = page.at(-1)) {
      if (page.length < batch) return yield page;
      const last = after;
      const next = this.#beginNext(() => read({ offset: 0, after: last }));
      try {
        yield page;
        page = await next.take();
      } finally {
        next.end();
      }
    }
  }

  #beginNext(read: () => Promise<ListedRelease[]>) {
    if (this.#ahead >= mostAhead) return { take: read, end: () => undefined };
    this.#ahead += 1;
    const reading = read();
    reading.catch(() => undefined); // who left does not take it
    return {
      take: () => reading,
      end: () => {
        this.#ahead -= 1;
      },
    };
  }
}
