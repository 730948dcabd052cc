import type { LibraryRoot, MatchedBy } from './library-file.ts';

export interface ScanProgress {
  readonly phase: 'identify' | 'hash';
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
  readonly file: string;
}

/** A file and its problem: a sentence that calls the file "it", or the OS error text. */
export interface Trouble {
  readonly path: string;
  readonly reason: string;
}

/** A root that could not be scanned, and the number of files known below it. */
export interface RootProblem {
  readonly root: string;
  readonly reason: string;
  readonly known: number;
  /**
   * The name of another host that owns the root. If it is set, neither the scan nor `forget`
   * changed anything below the root.
   */
  readonly host?: string;
}

export interface ScanReport {
  /** Number of recorded files below the roots, including files from earlier scans. */
  readonly files: number;
  readonly recognised: Readonly<Record<MatchedBy, number>>;
  /**
   * Number of recognised files that were matched together with other files of their disc or set.
   */
  readonly inSets: number;
  /**
   * Number of files without a release. `tied` is the number of those for which several releases
   * match.
   */
  readonly unknown: number;
  readonly tied: number;
  /** Files and folders that could not be read, or not to their end. */
  readonly unreadable: readonly Trouble[];
  /** Files that are truncated or contradict themselves. They may still be recognised. */
  readonly damaged: readonly Trouble[];
  /**
   * Files that the next scan will hash, because the catalogue's own disk has no room to unpack them
   * now.
   */
  readonly postponed: readonly Trouble[];
  /** Roots that could not be scanned. Records below them are unchanged, unless `forget` was set. */
  readonly problems: readonly RootProblem[];
  /** Number of files processed in the first pass. */
  readonly looked: number;
  readonly moved: number;
  /** Number of files whose records were deleted. */
  readonly gone: number;
  readonly hashed: number;
  /**
   * `matchesLost` is the number of files that had a release before the scan and have none after it.
   * `matchesChanged` is the number of files that have another one.
   */
  readonly matchesLost: number;
  readonly matchesChanged: number;
}

export interface ScanOptions {
  readonly roots: readonly LibraryRoot[];
  readonly hash: boolean;
  /** Whether to read and hash every file again, including unchanged ones. */
  readonly full: boolean;
  /**
   * Whether to unpack and compare also files that were matched by a hash that their container
   * states.
   */
  readonly verify?: boolean;
  /** Whether to delete the records of files below roots that are missing or empty. */
  readonly forget: boolean;
  /** Whether to scan the roots of other hosts too, and to assign these roots to this host. */
  readonly takeOver?: boolean | undefined;
  /** Number of files to hash concurrently. */
  readonly jobs: number;
  /**
   * Whether to retry for some time if another process is writing to the database. If false, the
   * first `busy` error ends the scan.
   */
  readonly retriesWhenBusy: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
}
