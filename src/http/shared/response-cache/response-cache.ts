import { LRUCache } from 'lru-cache';
import type { KeptFile } from '../small-file.ts';
import type { KeptAnswer } from './response-heads.ts';

/** Some 1,500 pages of a list, and 500 thumbnails. */
const mostBytes = 32 * 1024 * 1024;
/** A larger response would push too many others out. */
const mostBytesOfOne = 1024 * 1024;
/** Estimated memory of an entry without its bytes and its address. */
const besideBytes = 1_500;

export type CachedResponse = KeptAnswer | KeptFile;

/** Responses by the address that was asked for, each valid for one revision; the least recently used ones go first. */
export class ResponseCache {
  readonly #entries = new LRUCache<string, { revision: number; response: CachedResponse }>({
    maxSize: mostBytes,
    maxEntrySize: mostBytesOfOne,
    sizeCalculation: ({ response }, address) =>
      response.bytes.length + 2 * address.length + besideBytes,
  });

  /** Whether there is one, of whichever revision. */
  has(address: string): boolean {
    return this.#entries.has(address);
  }

  /** The response that was made at this revision; undefined where there is none. */
  find(address: string, revision: number): CachedResponse | undefined {
    const entry = this.#entries.get(address);
    return entry?.revision === revision ? entry.response : undefined;
  }

  /** Keeps what was made at this revision, in the place of what was kept for the address. */
  keep(address: string, revision: number, response: CachedResponse): void {
    this.#entries.set(address, { revision, response });
  }
}
