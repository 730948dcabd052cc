import type { ReleaseTexts } from './missing-list.ts';

/** A platform as releases and files of the library count on it. */
export interface PlatformCount {
  readonly id: number;
  readonly name: string;
  /** That of most of its releases; "" without any. */
  readonly system: string;
  readonly releases: number;
  /** Releases of which the library has a file. */
  readonly have: number;
  /** Those of which one was recognised by a hash. */
  readonly verified: number;
}

export interface PlatformRecords {
  /** All, by name (code point); those without releases too. The same list while nothing of it changed. */
  counts(): Promise<readonly PlatformCount[]>;
  /** Of these releases, how many each platform has, by its id. */
  countReleases(ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
  find(id: number): Promise<{ readonly id: number; readonly name: string } | null>;
}

/** The releases of the catalogue. */
export interface MissingReleases {
  /** Those of a platform of which the library has no file, by name, some hundred at a time. */
  streamMissing(platform: string): AsyncIterable<readonly ReleaseTexts[]>;
}

export interface CoveredReleases {
  /** The ids of the releases that have a cover. */
  /** The same set while nothing of it changed. */
  releasesWithCover(): Promise<ReadonlySet<number>>;
}
