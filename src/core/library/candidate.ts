import type { Method } from './library-file.ts';

/** A ROM of the catalogue that may match a file. */
export interface CandidateRom {
  readonly name: string;
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/** A release that some piece of evidence matches. */
export interface Candidate {
  readonly releaseId: number;
  /** Its own name, then the names under which other sources list it. */
  readonly names: readonly string[];
  /** The region as shown, such as `USA, Canada`; "" if no source states one. */
  readonly region: string;
  /** See `platformKey`. */
  readonly platformKey: string;
  /** Normalised, see `normaliseSerials`. */
  readonly serials: readonly string[];
  readonly roms: readonly CandidateRom[];
}

/** The candidates for each kind of evidence, before the format is considered. */
export type Evidence = Readonly<Record<Method, readonly Candidate[]>>;
