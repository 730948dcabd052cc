import type { LibraryRoot, MatchedBy } from './library-file.ts';

export interface ScanProgress {
  readonly phase: 'identify' | 'hash';
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
  readonly file: string;
}

/** A file and what is wrong with it, as a sentence about "it" or the system's message. */
export interface Trouble {
  readonly path: string;
  readonly reason: string;
}

/** A root of which nothing could be said, and how many files had been known below it. */
export interface RootProblem {
  readonly root: string;
  readonly reason: string;
  readonly known: number;
  /** Whose it is, when it is another host's: neither this scan nor `forget` touched it. */
  readonly host?: string;
}

export interface ScanReport {
  /** Known below the roots, whenever they were found. */
  readonly files: number;
  readonly recognised: Readonly<Record<MatchedBy, number>>;
  /** Of the recognised files those that were matched together with the others of their disc or set. */
  readonly inSets: number;
  /** Files without a release; `tied` of them are left to several. */
  readonly unknown: number;
  readonly tied: number;
  /** Files and folders that could not be read, or not to their end. */
  readonly unreadable: readonly Trouble[];
  /** Files that were looked at and lie or are cut; they may be recognised all the same. */
  readonly damaged: readonly Trouble[];
  /** Files that are left for the next scan, because the catalogue's own disk cannot take what is unpacked of them. */
  readonly postponed: readonly Trouble[];
  /** Roots of which nothing could be said; nothing below them was touched, unless `forget` was asked for. */
  readonly problems: readonly RootProblem[];
  /** Files that were opened in the first pass. */
  readonly looked: number;
  readonly moved: number;
  /** Files that were forgotten. */
  readonly gone: number;
  readonly hashed: number;
  /** Files that were matched with a release before the scan, and are with none, or with another, after it. */
  readonly matchesLost: number;
  readonly matchesChanged: number;
}

export interface ScanOptions {
  readonly roots: readonly LibraryRoot[];
  readonly hash: boolean;
  /** Looks at every file again, also at unchanged ones, and hashes it again. */
  readonly full: boolean;
  /** Also unpacks what was found by a hash that its container states, and compares. */
  readonly verify?: boolean;
  /** Also forgets what lay below roots that are missing or empty. */
  readonly forget: boolean;
  /** Also scans the roots of other hosts, which are this one's from then on. */
  readonly takeOver?: boolean | undefined;
  /** Files that are hashed at a time. */
  readonly jobs: number;
  /** Tries again for some time when another process writes to the database; else the first `busy` ends the scan. */
  readonly retriesWhenBusy: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
}
