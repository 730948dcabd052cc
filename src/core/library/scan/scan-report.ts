import type { FoundFile, LibraryRoot, MatchMethod } from '../library-file.ts';

export interface ScanProgress {
  readonly phase: 'identify' | 'hash';
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
  readonly file: string;
}

/**
 * A file or folder and its problem. `reason` is the error text of the OS, or a sentence that refers
 * to the file as "it".
 */
export interface ScanProblem {
  readonly path: string;
  readonly reason: string;
}

/** A root that could not be scanned. `known` is the number of files known below the root. */
export interface RootProblem {
  readonly root: string;
  readonly reason: string;
  readonly known: number;
  /**
   * The name of the other host that the root belongs to. If set, neither the scan nor `forget`
   * changed anything below the root.
   */
  readonly host?: string;
}

export interface ScanReport {
  /** Number of recorded files below the roots, including files that earlier scans recorded. */
  readonly files: number;
  readonly recognised: Readonly<Record<MatchMethod, number>>;
  /**
   * Number of recognised files that were matched together with other files of their disc or set.
   */
  readonly inSets: number;
  /**
   * `unknown` is the number of files without a release. `tied` is the number of files without a
   * release because several releases match.
   */
  readonly unknown: number;
  readonly tied: number;
  /** Files and folders that could not be read, or could not be read completely. */
  readonly unreadable: readonly ScanProblem[];
  /** Files that are truncated or contradict themselves, including files that were recognised. */
  readonly damaged: readonly ScanProblem[];
  /**
   * Files that could not be hashed because unpacking them to the catalogue's own disk failed. The
   * next scan tries to hash them again.
   */
  readonly postponed: readonly ScanProblem[];
  /**
   * Roots that could not be scanned. The records below these roots are unchanged, unless `forget`
   * was set.
   */
  readonly problems: readonly RootProblem[];
  /** Number of files processed in the first pass. */
  readonly looked: number;
  readonly moved: number;
  /** Number of deleted file records. */
  readonly gone: number;
  readonly hashed: number;
  /**
   * `matchesLost` is the number of files that had a release before the scan, and have none after
   * the scan. `matchesChanged` is the number of files that now have a different release.
   */
  readonly matchesLost: number;
  readonly matchesChanged: number;
}

export interface ScanOptions {
  readonly roots: readonly LibraryRoot[];
  readonly hash: boolean;
  /** If true, every file is read and hashed again, including unchanged files. */
  readonly full: boolean;
  /**
   * If true, files that were matched by a hash that their container states are also unpacked and
   * compared.
   */
  readonly verify?: boolean;
  /** If true, the records of files below missing or empty roots are deleted. */
  readonly forget: boolean;
  /** If true, roots of other hosts are scanned too, and are assigned to this host. */
  readonly takeOver?: boolean | undefined;
  /** Returns false for a new or changed file that is left for a later scan. */
  readonly isComplete?: ((file: FoundFile) => boolean) | undefined;
  /**
   * If true, known files keep their matches although the catalogue or the rules changed. A later
   * scan then matches them.
   */
  readonly keepsMatches?: boolean | undefined;
  /** Number of files to hash concurrently. */
  readonly jobs: number;
  /**
   * If true, writes are retried for some time while another process writes to the database. If
   * false, the first `busy` error ends the scan.
   */
  readonly retriesWhenBusy: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
}
