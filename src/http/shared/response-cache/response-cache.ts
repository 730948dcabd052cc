import { LRUCache } from 'lru-cache';
import type { KeptFile } from '../small-file.ts';
import type { KeptAnswer } from './response-heads.ts';

/** Size limit of the response cache in bytes: about 1,500 list pages and 500 thumbnails. */
const mostBytes = 32 * 1024 * 1024;
/** Size limit of one response, since a larger one would evict too many others. */
const mostBytesOfOne = 1024 * 1024;
/** Estimated memory of an entry without its bytes and its URL. */
const besideBytes = 1_500;

export type CachedResponse = KeptAnswer | KeptFile;

/**
 * Responses by requested URL, each valid for one revision; the least recently used ones are evicted
 * first.
 */
export class ResponseCache {
  readonly #entries = new LRUCache<string, { revision: number; response: CachedResponse }>({
    maxSize: mostBytes,
    maxEntrySize: mostBytesOfOne,
    sizeCalculation: ({ response }, address) =>
      response.bytes.length + 2 * address.length + besideBytes,
  });

  /** Whether there is a response, of any revision. */
  has(address: string): boolean {
    return this.#entries.has(address);
  }

  /** Returns the response of this revision, or undefined if there is none. */
  find(address: string, revision: number): CachedResponse | undefined {
    const entry = this.#entries.get(address);
    return entry?.revision === revision ? entry.response : undefined;
  }

  /** Caches a response of this revision, replacing the URL's previous one. */
  keep(address: string, revision: number, response: CachedResponse): void {
    this.#entries.set(address, { revision, response });
  }
}
