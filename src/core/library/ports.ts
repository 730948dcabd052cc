import type { PartRevision } from '../shared/part-revision.ts';
import type { Candidate, Evidence } from './candidate.ts';
import type { Sheet } from './file-names.ts';
import type { Identity, ImageTrack } from './identity.ts';
import type {
  FoundFile,
  IdentifiedFile,
  KnownFile,
  LibraryItem,
  LibraryRoot,
  MatchedBy,
  ReleaseFile,
  ScannedFile,
  TrackedHashes,
} from './library-file.ts';
import type { LookUp } from './look-up.ts';
import type { Verdict } from './match.ts';
import type { FileRecords } from './shown-files.ts';

/** The disks that library roots lie on. Each throws `DiskFailure` for what the system cannot open or read. */
export interface Disk {
  /**
   * Every regular file below the root, in batches, in the order of the paths. Throws when the root itself is missing or
   * cannot be read; a folder or file below it that cannot be read is told to `onUnreadable`. Leaves out the folders `except`,
   * which are paths below the root.
   */
  walk(
    root: string,
    onUnreadable: (path: string, reason: string) => void,
    except?: readonly string[],
  ): AsyncIterable<readonly FoundFile[]>;
  /** One file below the root, as `walk` would find it; null when it would not. */
  find(root: string, path: string): Promise<FoundFile | null>;
  /** The path of a root with every link resolved; as it is when the root cannot be reached. */
  placeOf(root: string): Promise<string>;
  /**
   * Content that is damaged or no image gives an identity that says so; `DamagedImage` for what is no regular file. Waits
   * for `beforeMany`, at least once, before it reads of more files in an archive than `manyMembers`.
   */
  identify(path: string, beforeMany?: () => Promise<void>): Promise<Identity>;
  /** What reads such a file, in its version: another text when it would be read otherwise. */
  readerOf(identity: Identity): string;
  /** Whether files that this reader has read would be read the same today. */
  isCurrent(reader: string): boolean;
  /**
   * Throws `DamagedImage` when the content cannot be read to its end, `OwnDiskFailure` when it has to be unpacked to our
   * disk and cannot, and the signal's reason when it is aborted.
   */
  hash(path: string, identity: Identity, options: HashOptions): Promise<TrackedHashes>;
}

export interface HashOptions {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
  /** Whether everything that a container states of its content is compared. */
  readonly verify?: boolean | undefined;
  /** At most so many bytes per second; undefined for as fast as it goes. */
  readonly rate?: number | undefined;
}

/** What is kept of a file after it was looked at. */
export interface StoredScan extends Verdict {
  readonly file: IdentifiedFile;
  /** What was read and what each piece pointed at, for a later explanation. */
  readonly evidence: object;
}

/** What matching a known file, alone or in its set, came to. */
export interface StoredMatch extends Verdict {
  readonly file: ScannedFile;
  readonly evidence: object;
  readonly setKey: string | null;
  /** Those as which it is to be hashed; its hashes go. */
  readonly tracks?: readonly ImageTrack[];
}

/** A known file and where it lies now. */
export interface Move {
  readonly id: number;
  readonly root: LibraryRoot;
  readonly to: FoundFile;
}

/** A known file, and the root and path that it belongs to now. */
export interface HandedFile {
  readonly id: number;
  readonly root: LibraryRoot;
  readonly path: string;
}

/** How many refreshes of the list ended, in all processes. */
export interface LibraryRefreshes extends PartRevision {
  note(): Promise<void>;
}

/** What a walk is compared with. */
export interface KnownFiles {
  /**
   * The known files below a root, behind a path, in the order of their paths; the next page is read while one is looked
   * at.
   */
  pages(root: LibraryRoot, after?: string): AsyncIterable<readonly KnownFile[]>;
  /** By id. */
  inodesOf(ids: readonly number[]): Promise<Map<number, bigint>>;
}

/** What earlier scans found. */
export interface ScannedFiles {
  /** What is known of these paths below the root, in no order. */
  at(root: LibraryRoot, paths: readonly string[]): Promise<ScannedFile[]>;
  /**
   * Files below the root, in the order of their paths, from after `path`; or those without hashes, or those of them that
   * are not found by a SHA-1 that their container states. Fewer than `limit` where much is known of them; none at the end alone.
   */
  after(
    root: LibraryRoot,
    path: string,
    limit: number,
    options?: { only: 'all' | 'unhashed' | 'unfound' },
  ): Promise<ScannedFile[]>;
  /** All readers that have read files below the root. */
  readers(root: LibraryRoot): Promise<string[]>;
  /** The paths of the files below the root that one of these readers has read. */
  readBy(root: LibraryRoot, readers: readonly string[]): Promise<Set<string>>;
  /** Every sheet below the root. */
  sheets(root: LibraryRoot): Promise<Sheet[]>;
  /** By path, of every file below the root that has one: the key of the set that it was matched with, or "". */
  setKeys(root: LibraryRoot): Promise<Map<string, string>>;
  /** The paths of the files below the root that were matched with this set. */
  inSet(root: LibraryRoot, setKey: string): Promise<string[]>;
  /** A number that every change of a known file raises, and whether it is that with which the root was settled. */
  stateOf(root: LibraryRoot): Promise<{ version: number; isSettled: boolean }>;
  /** The roots that any scan was given, by their paths. */
  roots(): Promise<LibraryRoot[]>;
  /** Whether the root was ever walked to its end. */
  wasScanned(root: LibraryRoot): Promise<boolean>;
  /** The catalogue's version that the files below a root were matched with; "" when they never were. */
  matchedVersion(root: LibraryRoot): Promise<string>;
}

/** Where a scan stores what it finds; each call is one transaction. Throws busy() when another process writes for long. */
export interface ScanStore {
  /**
   * Stores files below a root, each matched by itself, replacing what was known of their paths. One that comes without hashes leaves alone what
   * was stored with hashes for the same size and time by the same reader: another process was faster. Nor is a file
   * replaced for which an editor chose a release, or took a choice back, since it was read.
   */
  save(root: LibraryRoot, scans: readonly StoredScan[]): Promise<void>;
  /**
   * Stores the hashes of a file that belongs to a set, or its damage, and leaves its match as it is until the set is
   * matched again.
   */
  saveHashes(root: LibraryRoot, file: IdentifiedFile): Promise<void>;
  /** Stores matches; not of files that another process looked at or hashed, or an editor matched, meanwhile. */
  saveMatches(root: LibraryRoot, matches: readonly StoredMatch[]): Promise<void>;
  /** Gives known files a new path and inode; what is known there goes, everything else known of them stays. */
  move(moves: readonly Move[]): Promise<void>;
  /**
   * Gives known files of the root `from` to others, with everything that is known of them. Where a file is known at its new
   * place already, the one stays that an editor matched, else the one with hashes, else the one that was there. A new root
   * belongs to the host of `from`.
   */
  handOver(from: LibraryRoot, files: readonly HandedFile[]): Promise<void>;
  /** Forgets a root, unless files are known below it. */
  removeRoot(root: LibraryRoot): Promise<void>;
  forget(ids: readonly number[]): Promise<void>;
  /** The root was walked to its end; it has no problem. */
  markScanned(root: LibraryRoot): Promise<void>;
  /** Nothing could be said of the root, for this reason. */
  markProblem(root: LibraryRoot, problem: string): Promise<void>;
  markMatched(root: LibraryRoot, version: string): Promise<void>;
  /** All sets below a root are matched, as of that `stateOf`. */
  markSettled(root: LibraryRoot, version: number): Promise<void>;
}

/** What the catalogue says about files. */
export interface CatalogueEvidence {
  /** What each look-up points at. */
  find(lookUps: readonly LookUp[]): Promise<Evidence[]>;
  /** A release as matching looks at it; null when readers see none of this id. */
  candidate(releaseId: number): Promise<Candidate | null>;
  /** Changes whenever matching could come out otherwise: after an import or an edit. */
  version(): Promise<string>;
}

/** The library as it is shown. */
export interface LibraryList {
  /** Changes whenever `items` could come out otherwise. */
  version(): Promise<string>;
  /**
   * One item per name and size: a matched one before others, then the one with the lowest path; ordered by name. Files
   * known under other roots (`related`) count when they are below one of the roots; the innermost root gives the system.
   */
  items(roots: readonly LibraryRoot[], related?: readonly LibraryRoot[]): Promise<LibraryItem[]>;
  /** All files that were matched with a release, whatever roots they lie below; ordered by name, then path. */
  ofRelease(releaseId: number): Promise<ReleaseFile[]>;
  /** How many files below the roots each method recognised; null for those that none did. */
  countByMethod(roots: readonly LibraryRoot[]): Promise<[MatchedBy | null, number][]>;
  /** How many of the files below the roots are left to several releases, between which nothing decided. */
  countTied(roots: readonly LibraryRoot[]): Promise<number>;
  /** How many of the files below the roots were matched together with others. */
  countInSets(roots: readonly LibraryRoot[]): Promise<number>;
}

/** All that is remembered of the library. */
export interface LibraryRecords {
  readonly known: KnownFiles;
  readonly scanned: ScannedFiles;
  readonly store: ScanStore;
  readonly catalogue: CatalogueEvidence;
  readonly list: LibraryList;
  readonly files: FileRecords;
}
