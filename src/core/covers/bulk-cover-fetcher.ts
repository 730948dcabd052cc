import { forEachAtMost } from '../shared/concurrency/for-each-at-most.ts';
import { refused } from '../shared/errors.ts';
import type { CoverProgress } from './cover-progress.ts';
import type { CoverSearch, CoverSearchResult } from './cover-search.ts';
import type { Covers } from './covers.ts';
import type { CoverRelease, CoverSearchRecords } from './ports.ts';
import { type CoverFetchStep, SearchedReleases } from './searched-releases.ts';

/** Number of releases that are searched for concurrently. */
const maxConcurrentSearches = 3;
/**
 * The run ends after this many releases in a row failed, because the source is then considered
 * down. The search for each release makes several attempts.
 */
const failuresUntilEnd = 5;
/** Number of ids for which releases are read at a time. */
const idsPerBatch = 5_000;

export interface CoverFetchReport {
  /** Number of releases that were searched for. */
  readonly releases: number;
  readonly stored: number;
  /** Number of releases for which the source has no cover. */
  readonly missing: number;
  /**
   * Number of releases without a request to the source, because a recent request found no cover or
   * the source was failing.
   */
  readonly remembered: number;
  /** Number of releases whose cover a user removed. */
  readonly removed: number;
  readonly failed: number;
  /** Reason of the last failure to reach the source; null if there was none. */
  readonly lastFailure: string | null;
  /** Number of releases that meanwhile got a better cover, which stays. */
  readonly kept: number;
}

export interface CoverFetchOptions {
  /** The system to fetch covers for; undefined for all systems. */
  readonly system: string | undefined;
  /** Ids of the releases to fetch covers for; undefined for all releases. */
  readonly releaseIds?: readonly number[] | undefined;
  /** True to skip releases with a cover taken from a disc image. */
  readonly onlyMissing: boolean;
  /** True to include releases whose cover a user removed. */
  readonly evenIfRemoved?: boolean;
  /** True to skip releases for which the library has no file. */
  readonly onlyOwned?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CoverProgress) => void;
  /** The last step of an earlier run that this run continues; null for none. */
  readonly step?: CoverFetchStep | null;
  /** Called with the state that a later run needs to continue this run. */
  readonly onStep?: (step: CoverFetchStep) => void;
}

const countOfOutcome = {
  stored: 'stored',
  kept: 'kept',
  'recent-miss': 'remembered',
  suspended: 'remembered',
  removed: 'removed',
  miss: 'missing',
  failure: 'failed',
} as const satisfies Record<
  CoverSearchResult['outcome'],
  Exclude<keyof CoverFetchReport, 'lastFailure'>
>;

/**
 * Fetches covers for many releases, each with a `CoverSearch`. The job `covers-fetch` runs this.
 */
export class BulkCoverFetcher {
  readonly #search: CoverSearch;
  readonly #covers: Covers;
  readonly #records: CoverSearchRecords;

  constructor(parts: { search: CoverSearch; covers: Covers; records: CoverSearchRecords }) {
    this.#search = parts.search;
    this.#covers = parts.covers;
    this.#records = parts.records;
  }

  /**
   * Searches the source for a cover for each release that has none, or one taken from a disc image.
   * Stores each cover as it arrives, so that a later run can continue a stopped one. Throws the
   * signal's reason when aborted. Throws refused() when no source is configured, or when the source
   * is unavailable.
   */
  async run(options: CoverFetchOptions): Promise<CoverFetchReport> {
    if (this.#search.source === null) {
      throw refused('there is no cover source: set --cover-source or CATALOG_COVER_SOURCE');
    }
    const { evenIfRemoved = false, step = null } = options;
    const searched = new SearchedReleases(step);
    const remaining = searched.withoutSearched(await this.#wanted(options));
    const total = searched.count + remaining.length;
    const end = new AbortController();
    const signal = AbortSignal.any([options.signal, end.signal]);
    let failures = 0;
    const fetchOne = async ({ id, name }: CoverRelease): Promise<void> => {
      signal.throwIfAborted();
      const result = await this.#search.search(id, { signal, isBackground: true, evenIfRemoved });
      if (result.outcome === 'failure') searched.lastFailure = result.reason;
      searched.add(id, countOfOutcome[result.outcome]);
      options.onProgress({ done: searched.count, total, name });
      options.onStep?.(searched.step());
      // no request was sent, so this says nothing about the source
      if (result.outcome === 'recent-miss' || result.outcome === 'removed') return;
      failures = result.outcome === 'failure' ? failures + 1 : 0;
      if (result.outcome !== 'failure') return;
      if (failures >= failuresUntilEnd) {
        throw refused(
          `the cover source does not answer (${result.reason}): what was fetched is kept, try again later`,
        );
      }
    };
    await forEachAtMost(maxConcurrentSearches, remaining, (release) =>
      fetchOne(release).catch((error: unknown) => {
        end.abort(error); // aborts the other searches
        throw signal.reason;
      }),
    );
    signal.throwIfAborted();
    return { releases: total, ...searched.counts, lastFailure: searched.lastFailure };
  }

  /** Returns the releases to search for, ordered by id. */
  async #wanted(options: CoverFetchOptions): Promise<CoverRelease[]> {
    const { onlyMissing, signal } = options;
    const covered = await this.#covers.releasesWithCover();
    const fromDisc = onlyMissing ? new Set<number>() : await this.#records.releasesFromDisc();
    const wanted: CoverRelease[] = [];
    for await (const batch of this.#candidates(options)) {
      signal.throwIfAborted();
      for (const release of batch) {
        if (!covered.has(release.id)) wanted.push(release);
        else if (!fromDisc.has(release.id)) continue;
        else if ((await this.#covers.originOf(release.id)) === 'disc') wanted.push(release);
      }
    }
    return wanted;
  }

  async *#candidates({ system, releaseIds, onlyOwned = false }: CoverFetchOptions) {
    if (releaseIds === undefined && !onlyOwned) return yield* this.#records.releases(system);
    const owned = onlyOwned ? await this.#records.ownedReleases() : null;
    const ids = (releaseIds ?? owned ?? []).toSorted((one, other) => one - other);
    const ownedIds = owned === null ? null : new Set(owned);
    for (let at = 0; at < ids.length; at += idsPerBatch) {
      const batch = await this.#records.releasesOf(ids.slice(at, at + idsPerBatch));
      yield batch.filter(
        ({ id, system: of }) =>
          (system === undefined || of === system) && (ownedIds === null || ownedIds.has(id)),
      );
    }
  }
}
