import { currentAsker } from '../core/shared/asker.ts';
import { FairLimiter } from '../core/shared/fair-limiter.ts';
import type { Page } from './release-pages.ts';

/** Releases of one batch of a whole list. */
const batch = 250;
/** Batches that are read at a time, however many read a list: the thread of the server takes them all. */
const batchesAtOnce = 2;
/** Lists of which the next batch is read while one is sent; the others take less memory. */
const mostAhead = 4;

/** Some releases of a list, in whatever form. */
export interface Batch<Content> {
  readonly content: Content;
  readonly releases: number;
  /** Null of none. */
  readonly last: { readonly name: string; readonly id: number } | null;
}

/** Lists of releases from an offset to their end, by name, in batches. */
export class WholeLists {
  readonly #batches = new FairLimiter({ all: batchesAtOnce }, { most: 10_000, mostOfOne: 1_000 });
  #ahead = 0;

  /** `read` reads one batch: one statement, since an open one would keep the write-ahead log from shrinking. */
  async *stream<Content>(
    offset: number,
    read: (page: Omit<Page, 'order'>) => Promise<Batch<Content>>,
  ): AsyncGenerator<Content> {
    const readNext = (part: Pick<Page, 'offset' | 'after'>) =>
      this.#batches.run(currentAsker()?.network ?? null, () => read({ ...part, limit: batch }));
    let page = await readNext({ offset });
    for (let { last } = page; last; last = page.last) {
      if (page.releases < batch) return yield page.content;
      const after = last;
      const next = this.#beginNext(() => readNext({ offset: 0, after }));
      try {
        yield page.content;
        page = await next.take();
      } finally {
        next.end();
      }
    }
  }

  #beginNext<Content>(read: () => Promise<Batch<Content>>) {
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
