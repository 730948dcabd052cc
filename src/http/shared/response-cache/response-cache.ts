import { LRUCache } from 'lru-cache';
import type { CachedFile } from '../files/small-file.ts';
import type { CachedBody } from './prepared-headers.ts';

/**
 * Size limit of the response cache, in bytes. Sufficient for about 1,500 list pages and 500
 * thumbnails.
 */
const maxBytes = 32 * 1024 * 1024;
/** Size limit of one response, in bytes. A larger response would evict too many others. */
const maxEntryBytes = 1024 * 1024;
/** Estimated memory of a cache entry besides the response's body and the URL, in bytes. */
const overheadBytes = 1_500;

export type CachedResponse = CachedBody | CachedFile;

/**
 * Cached responses by requested URL. Each response is valid for one revision. The least recently
 * used responses are evicted first.
 */
export class ResponseCache {
  readonly #entries = new LRUCache<string, { revision: number; response: CachedResponse }>({
    maxSize: maxBytes,
    maxEntrySize: maxEntryBytes,
    sizeCalculation: ({ response }, url) => response.bytes.length + 2 * url.length + overheadBytes,
  });

  /** Returns true if a response for this URL is cached, of any revision. */
  has(url: string): boolean {
    return this.#entries.has(url);
  }

  /** Returns the response for this URL and revision, or undefined if none is cached. */
  find(url: string, revision: number): CachedResponse | undefined {
    const entry = this.#entries.get(url);
    return entry?.revision === revision ? entry.response : undefined;
  }

  /** Caches a response of this revision. Replaces the previous response for the URL. */
  set(url: string, revision: number, response: CachedResponse): void {
    this.#entries.set(url, { revision, response });
  }
}
