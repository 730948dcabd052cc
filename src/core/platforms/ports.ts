import type { ReleaseTexts } from '../shared/missing-list.ts';

/** A platform with the counts of its releases and library files. */
export interface PlatformCount {
  readonly id: number;
  readonly name: string;
  /** The system of most releases of the platform; "" if the platform has no releases. */
  readonly system: string;
  readonly releases: number;
  /** Number of releases that have a file in the library. */
  readonly have: number;
  /** Number of releases with a file in the library that was recognised by a hash. */
  readonly verified: number;
}

export interface PlatformRecords {
  /**
   * Returns all platforms, including those without releases, ordered by name (code point). Returns
   * the same array object until the result changes.
   */
  counts(): Promise<readonly PlatformCount[]>;
  /** Returns how many of these releases each platform has, by platform id. */
  countReleases(ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
  find(id: number): Promise<{ readonly id: number; readonly name: string } | null>;
}

/** Lists the releases that the library lacks. */
export interface MissingReleases {
  /**
   * Yields the releases of a platform without a file in the library, ordered by name, in batches of
   * a few hundred.
   */
  streamMissing(which: { readonly platform: string }): AsyncIterable<readonly ReleaseTexts[]>;
}

export interface CoveredReleases {
  /**
   * Returns the ids of the releases that have a cover. Returns the same set object until the set
   * changes.
   */
  releasesWithCover(): Promise<ReadonlySet<number>>;
}
