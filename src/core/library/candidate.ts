import type { Method } from './library-file.ts';

/** A ROM of the catalogue as it may stand for a file. */
export interface CandidateRom {
  readonly name: string;
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/** A release that some piece of evidence points at. */
export interface Candidate {
  readonly releaseId: number;
  /** Its own, then those under which other sources list it. */
  readonly names: readonly string[];
  /** As it is shown, such as `USA, Canada`; "" when no source says. */
  readonly region: string;
  /** See `platformKey`. */
  readonly platformKey: string;
  /** Normalised, see `normaliseSerials`. */
  readonly serials: readonly string[];
  readonly roms: readonly CandidateRom[];
}

/** What each piece of evidence points at, before the format is considered. */
export type Evidence = Readonly<Record<Method, readonly Candidate[]>>;
