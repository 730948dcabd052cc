import type { Clock } from '../shared/clock.ts';
import { pause } from '../shared/concurrency/pause.ts';
import { noCover, stopping } from '../shared/errors.ts';
import { oneChunk } from '../shared/files/one-chunk.ts';
import type { Leases } from '../shared/processes/leases.ts';
import { mayReplace } from './cover-origin.ts';
import type { Covers, OpenedCover } from './covers.ts';
import type {
  CoverMiss,
  CoverSearchRecords,
  CoverSearchTerms,
  CoverSource,
  SourceResponse,
} from './ports.ts';

/**
 * Minimum time between two searches for the same release after a search found no cover, in
 * milliseconds (docs/operating/covers.md).
 */
const missLifetimeMs = { miss: 24 * 60 * 60_000, failure: 5 * 60_000 };
/**
 * After `failuresUntilSuspension` failures in a row, readers (clients that wait for a cover)
 * immediately get no cover for `suspensionMs` milliseconds. Otherwise every reader would wait up to
 * 15 s for the source.
 */
const failuresUntilSuspension = 3;
const suspensionMs = 30_000;
/**
 * Maximum number of searches in progress. While this number is exceeded, further readers
 * immediately get no cover.
 */
const maxSearches = 100;
/**
 * Pauses between the attempts of a background search, in milliseconds. The source may demand a
 * longer pause with `Retry-After`, up to `maxRetryAfterMs`.
 */
const backoffMs = [1_000, 2_000, 4_000];
const maxRetryAfterMs = 60_000;

/**
 * The result of a search:
 * - `stored`: a new cover was stored.
 * - `kept`: the existing cover stays.
 * - `removed`: nothing was stored, because a user removed the cover.
 * - `recent-miss`: no request was sent, because a recent search found no cover.
 * - `suspended`: no request was sent, because the source failed recently or too many searches are
 *   in progress.
 * - `miss`: the source has no cover, there is no source, or the release is unknown or has no
 *   platform.
 * - `failure`: the source could not be reached.
 */
export type CoverSearchResult =
  | { readonly outcome: 'stored' | 'kept' | 'recent-miss' | 'removed' | 'suspended' }
  | { readonly outcome: 'miss' | 'failure'; readonly reason: string };

export interface CoverSearchOptions {
  readonly signal: AbortSignal;
  /** True for background work, which pauses between requests and tries again after a failure. */
  readonly isBackground: boolean;
  /** True to search even if a user removed the release's cover. */
  readonly evenIfRemoved?: boolean;
}

/** A failure to reach a source, with its reason. */
export interface CoverSearchFailure {
  readonly releaseId: number;
  readonly source: string;
  readonly reason: string;
}

/**
 * Opens covers. If a cover is missing, searches the source for it and stores
 * it. `BulkCoverFetcher` does this for many releases.
 */
export class CoverSearch {
  /** The source of covers; null if none is configured. */
  readonly source: CoverSource | null;
  readonly #covers: Covers;
  readonly #records: CoverSearchRecords;
  readonly #leases: Leases;
  readonly #clock: Clock;
  readonly #backoffMs: readonly number[];
  readonly #onFailure: (failure: CoverSearchFailure) => void;
  readonly #stop = new AbortController();
  readonly #running = new Map<number, Promise<CoverSearchResult>>();
  #failuresInARow = 0;
  #suspendedUntil = 0;

  constructor(parts: {
    covers: Covers;
    records: CoverSearchRecords;
    source: CoverSource | null;
    leases: Leases;
    clock: Clock;
    backoffMs?: readonly number[];
    /**
     * Called when a reader gets no cover because the source could not be reached. Called only for
     * the first `failuresUntilSuspension` failures in a row.
     */
    onFailure?: (failure: CoverSearchFailure) => void;
  }) {
    this.#covers = parts.covers;
    this.#records = parts.records;
    this.source = parts.source;
    this.#leases = parts.leases;
    this.#clock = parts.clock;
    this.#backoffMs = parts.backoffMs ?? backoffMs;
    this.#onFailure = parts.onFailure ?? (() => undefined);
  }

  /**
   * Returns the stored cover. If there is none, fetches a cover from the source first. Throws
   * `no cover available`. The caller must stream or close the returned cover.
   */
  async openOrFetch(releaseId: number): Promise<OpenedCover> {
    const stored = await this.#covers.openIfStored(releaseId);
    if (stored !== null) return stored;
    const { outcome } = await this.search(releaseId, {
      signal: this.#stop.signal,
      isBackground: false,
    });
    if (outcome !== 'stored' && outcome !== 'kept') throw noCover();
    return this.#covers.open(releaseId);
  }

  /**
   * Searches the source for a cover, unless a recent search found none. All processes together run
   * at most one search per release at a time. All callers in a process share its result, and the
   * options of the first caller apply. Throws the signal's reason when aborted. Throws errors of
   * storing the cover.
   */
  search(releaseId: number, options: CoverSearchOptions): Promise<CoverSearchResult> {
    const running = this.#running.get(releaseId);
    if (running !== undefined) return running;
    if (this.#stop.signal.aborted) return Promise.reject(this.#stop.signal.reason);
    const started = this.#search(releaseId, options).finally(() => {
      this.#running.delete(releaseId);
    });
    this.#running.set(releaseId, started);
    return started;
  }

  /**
   * Aborts the searches that readers wait for. The readers get an error with a time to retry.
   */
  async close(): Promise<void> {
    this.#stop.abort(stopping());
    await Promise.allSettled(this.#running.values());
  }

  async #search(releaseId: number, options: CoverSearchOptions): Promise<CoverSearchResult> {
    const { source } = this;
    if (source === null) return { outcome: 'miss', reason: 'there is no source' };
    const terms = await this.#records.findSearchTerms(releaseId);
    if (terms === null) return { outcome: 'miss', reason: 'it has no platform' };
    const known = await this.#resultWithoutRequest(releaseId, source, options);
    if (known !== null) return known;
    const name = `cover ${releaseId}`;
    const completed = await this.#leases.tryRun(name, async () => {
      // Another process may have completed the search before this one got the lease.
      const found = await this.#resultWithoutRequest(releaseId, source, options);
      return found ?? this.#requestAndStore(releaseId, source, terms, options);
    });
    if (completed !== null) return completed.result;
    await this.#leases.waitUntilFree(name, options.signal);
    return this.#search(releaseId, options);
  }

  /**
   * Returns the result if it is known without a request to the source; null if a request is needed.
   */
  async #resultWithoutRequest(
    releaseId: number,
    source: CoverSource,
    { evenIfRemoved = false, isBackground }: CoverSearchOptions,
  ): Promise<CoverSearchResult | null> {
    if (!evenIfRemoved && (await this.#covers.wasRemoved(releaseId))) return { outcome: 'removed' };
    const miss = await this.#records.findMiss(releaseId);
    if (miss !== null && this.#isFresh(miss, source)) return { outcome: 'recent-miss' };
    if (!mayReplace(await this.#covers.originOf(releaseId), 'source')) return { outcome: 'kept' };
    return !isBackground && this.#isSuspended() ? { outcome: 'suspended' } : null;
  }

  async #requestAndStore(
    releaseId: number,
    source: CoverSource,
    terms: CoverSearchTerms,
    options: CoverSearchOptions,
  ): Promise<CoverSearchResult> {
    const { evenIfRemoved = false } = options;
    const response = await this.#request(source, terms, options);
    this.#countFailures(response);
    if (response.kind === 'image') return this.#store(releaseId, response, evenIfRemoved);
    const { kind, reason } = response;
    const requestedAt = this.#clock.now();
    await this.#records.recordMiss(releaseId, { source: source.url, kind, reason, requestedAt });
    // Report only the first failures in a row, so that an unavailable source does not flood the
    // log.
    if (
      kind === 'failure' &&
      !options.isBackground &&
      this.#failuresInARow <= failuresUntilSuspension
    ) {
      this.#onFailure({ releaseId, source: source.url, reason });
    }
    return { outcome: kind, reason };
  }

  #isFresh(miss: CoverMiss, source: CoverSource): boolean {
    const age = this.#clock.now() - miss.requestedAt;
    // A time in the future means that the clock was set back, so the age of the miss is unknown.
    return miss.source === source.url && age >= 0 && age < missLifetimeMs[miss.kind];
  }

  #isSuspended(): boolean {
    return this.#clock.monotonic() < this.#suspendedUntil || this.#running.size > maxSearches;
  }

  async #request(
    source: CoverSource,
    terms: CoverSearchTerms,
    { signal, isBackground }: CoverSearchOptions,
  ): Promise<SourceResponse> {
    for (const backoff of isBackground ? this.#backoffMs : []) {
      const response = await source.fetch(terms, { signal, isPaced: true });
      if (response.kind !== 'failure') return response;
      const demandedMs = Math.min(response.retryAfterMs ?? 0, maxRetryAfterMs);
      await pause(Math.max(backoff, demandedMs), signal);
    }
    return source.fetch(terms, { signal, isPaced: isBackground });
  }

  #countFailures({ kind }: SourceResponse): void {
    this.#failuresInARow = kind === 'failure' ? this.#failuresInARow + 1 : 0;
    if (this.#failuresInARow >= failuresUntilSuspension)
      this.#suspendedUntil = this.#clock.monotonic() + suspensionMs;
  }

  async #store(
    releaseId: number,
    { bytes, url }: Extract<SourceResponse, { kind: 'image' }>,
    evenIfRemoved: boolean,
  ): Promise<CoverSearchResult> {
    const actor = { kind: 'system' } as const;
    const origin = { kind: 'source', from: url } as const;
    const staged = await this.#covers.stage(oneChunk(bytes));
    // A user may have removed the cover in the meantime; `put` checks for this.
    return { outcome: await this.#covers.put(releaseId, staged, actor, origin, { evenIfRemoved }) };
  }
}
