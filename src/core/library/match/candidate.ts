import type { Method } from '../library-file.ts';

/** A ROM in the catalogue that may match a file. */
export interface CandidateRom {
  readonly name: string;
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/** A release that may be the content of a file, because some evidence matches the release. */
export interface Candidate {
  readonly releaseId: number;
  /** The release's own name, followed by the names under which other sources list the release. */
  readonly names: readonly string[];
  /** The region as shown to users, such as `USA, Canada`; "" if no source states a region. */
  readonly region: string;
  /** The platform's name, normalised for comparison by `platformKey`. */
  readonly platformKey: string;
  /** The release's serials, normalised by `normaliseSerials`. */
  readonly serials: readonly string[];
  readonly roms: readonly CandidateRom[];
}

/**
 * For each kind of evidence, the releases that match. Some of these releases may not fit the kind
 * of disc; a later step removes them.
 */
export type Evidence = Readonly<Record<Method, readonly Candidate[]>>;
