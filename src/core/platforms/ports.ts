import type { ReleaseTexts } from './missing-list.ts';

/** A platform with the counts of its releases and library files. */
export interface PlatformCount {
  readonly id: number;
  readonly name: string;
  /** The system of most of its releases; "" if it has none. */
  readonly system: string;
  readonly releases: number;
  /** Number of releases with a file in the library. */
  readonly have: number;
  /** Number of `have` releases with a file that was recognised by a hash. */
  readonly verified: number;
}

export interface PlatformRecords {
  /**
   * Returns all platforms by name (code point), including those without releases. Returns the same
   * array until something changes.
   */
  counts(): Promise<readonly PlatformCount[]>;
  /** Counts how many of these releases each platform has, by platform id. */
  countReleases(ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
  find(id: number): Promise<{ readonly id: number; readonly name: string } | null>;
}

/** The releases of the catalogue. */
export interface MissingReleases {
  /**
   * Streams a platform's releases without a file in the library, by name, in batches of a few
   * hundred.
   */
  streamMissing(platform: string): AsyncIterable<readonly ReleaseTexts[]>;
}

export interface CoveredReleases {
  /** Returns the ids of the releases that have a cover; the same set until it changes. */
  releasesWithCover(): Promise<ReadonlySet<number>>;
}
