import type { LibraryRoot, MatchedBy } from './library-file.ts';

export interface ScanProgress {
  readonly phase: 'identify' | 'hash';
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
  readonly file: string;
}

/** A file and its problem: a sentence about "it", or the OS error text. */
export interface Trouble {
  readonly path: string;
  readonly reason: string;
}

/** A root that could not be scanned, and the number of files known below it. */
export interface RootProblem {
  readonly root: string;
  readonly reason: string;
  readonly known: number;
  /** The owning host, if it is another one: neither this scan nor `forget` touched the root. */
  readonly host?: string;
}

export interface ScanReport {
  /** Number of files known below the roots, from any scan. */
  readonly files: number;
  readonly recognised: Readonly<Record<MatchedBy, number>>;
  /** Number of recognised files that were matched together with the others of their disc or set. */
  readonly inSets: number;
  /** Number of files without a release; for `tied` of them several releases match. */
  readonly unknown: number;
  readonly tied: number;
  /** Files and folders that could not be read at all or to their end. */
  readonly unreadable: readonly Trouble[];
  /** Files that are truncated or make false statements; they may still be recognised. */
  readonly damaged: readonly Trouble[];
  /**
   * Files left for the next scan, because the catalogue's own disk cannot hold their unpacked
   * content.
   */
  readonly postponed: readonly Trouble[];
  /** Roots that could not be scanned; nothing below them was touched, unless `forget` was set. */
  readonly problems: readonly RootProblem[];
  /** Number of files opened in the first pass. */
  readonly looked: number;
  readonly moved: number;
  /** Number of files that were forgotten. */
  readonly gone: number;
  readonly hashed: number;
  /** Number of files that had a release before the scan and have none, or another one, after it. */
  readonly matchesLost: number;
  readonly matchesChanged: number;
}

export interface ScanOptions {
  readonly roots: readonly LibraryRoot[];
  readonly hash: boolean;
  /** Reads and hashes every file again, including unchanged ones. */
  readonly full: boolean;
  /** Also unpacks and compares files that were matched by a hash that their container states. */
  readonly verify?: boolean;
  /** Also forgets files below roots that are missing or empty. */
  readonly forget: boolean;
  /** Also scans the roots of other hosts, and takes these roots over for this host. */
  readonly takeOver?: boolean | undefined;
  /** Number of files to hash concurrently. */
  readonly jobs: number;
  /**
   * Whether to retry for some time when another process writes to the database; else the first
   * `busy` ends the scan.
   */
  readonly retriesWhenBusy: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
}
