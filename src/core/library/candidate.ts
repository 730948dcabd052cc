import type { Method } from './library-file.ts';

/** A ROM of the catalogue that may match a file. */
export interface CandidateRom {
  readonly name: string;
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/** A release that may be the content of a file, because some evidence matches it. */
export interface Candidate {
  readonly releaseId: number;
  /** The release's own name, then the names under which other sources list it. */
  readonly names: readonly string[];
  /** The region as shown, such as `USA, Canada`; "" if no source states one. */
  readonly region: string;
  /** The platform's name in the form for comparison; see `platformKey`. */
  readonly platformKey: string;
  /** The release's serials, normalised by `normaliseSerials`. */
  readonly serials: readonly string[];
  readonly roms: readonly CandidateRom[];
}

/**
 * For each kind of evidence, the releases that match it. Some of them may not fit the kind of disc,
 * which is checked later.
 */
export type Evidence = Readonly<Record<Method, readonly Candidate[]>>;
