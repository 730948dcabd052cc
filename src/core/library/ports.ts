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

/**
 * The disks that hold the library roots. Every method throws `DiskFailure` when the OS cannot open
 * or read something.
 */
export interface Disk {
  /**
   * Yields every regular file below the root, in batches, ordered by path. Throws when the root
   * itself is missing or unreadable; an unreadable folder or file below it is reported to
   * `onUnreadable`. Skips the folders in `except`, which are paths below the root.
   */
  walk(
    root: string,
    onUnreadable: (path: string, reason: string) => void,
    except?: readonly string[],
  ): AsyncIterable<readonly FoundFile[]>;
  /** Returns one file below the root, as `walk` would find it; null if `walk` would not find it. */
  find(root: string, path: string): Promise<FoundFile | null>;
  /** Returns the path of a root with every link resolved; unchanged if the root is unreachable. */
  placeOf(root: string): Promise<string>;
  /**
   * Identifies a file by its content. Damaged content, or content that is not an image, yields an
   * identity that says so. Throws `DamagedImage` for anything but a regular file. Awaits
   * `beforeMany` at least once before it reads more than `manyMembers` files of an archive.
   */
  identify(path: string, beforeMany?: () => Promise<void>): Promise<Identity>;
  /**
   * Returns the readers of such a file with their versions. The text changes when such a file would
   * be read differently.
   */
  readerOf(identity: Identity): string;
  /**
   * Whether this version of a reader is current: files that it has read would be read the same
   * today.
   */
  isCurrent(reader: string): boolean;
  /**
   * Hashes the content of a file. Throws `DamagedImage` if the content cannot be read to its end,
   * and the signal's reason if aborted. Throws `OwnDiskFailure` if it has to be unpacked to the
   * catalogue's own disk and that fails.
   */
  hash(path: string, identity: Identity, options: HashOptions): Promise<TrackedHashes>;
}

export interface HashOptions {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
  /** Whether to check the content against everything that the container states about it. */
  readonly verify?: boolean | undefined;
  /** Maximum bytes per second; undefined for no limit. */
  readonly rate?: number | undefined;
}

/** The record of a file after it was identified. */
export interface StoredScan extends Verdict {
  readonly file: IdentifiedFile;
  /** The values that were read, and the releases that each one matched, for an explanation. */
  readonly evidence: object;
}

/** The result of matching a known file, alone or in its set. */
export interface StoredMatch extends Verdict {
  readonly file: ScannedFile;
  readonly evidence: object;
  readonly setKey: string | null;
  /** The tracks to hash the file by; its present hashes are deleted. */
  readonly tracks?: readonly ImageTrack[];
}

/** A known file and its new location. */
export interface Move {
  readonly id: number;
  readonly root: LibraryRoot;
  readonly to: FoundFile;
}

/** A known file, and the root and path that it now belongs to. */
export interface HandedFile {
  readonly id: number;
  readonly root: LibraryRoot;
  readonly path: string;
}

/** Number of completed list refreshes, across all processes. */
export interface LibraryRefreshes extends PartRevision {
  note(): Promise<void>;
}

/** The records that a walk is compared with. */
export interface KnownFiles {
  /**
   * Yields the known files below a root whose paths follow `after`, in path order. The next page is
   * read in the background while the caller works on one.
   */
  pages(root: LibraryRoot, after?: string): AsyncIterable<readonly KnownFile[]>;
  /** Returns inode numbers by file id. */
  inodesOf(ids: readonly number[]): Promise<Map<number, bigint>>;
}

/** The results of earlier scans. */
export interface ScannedFiles {
  /** Returns the known files at these paths below the root, in no particular order. */
  at(root: LibraryRoot, paths: readonly string[]): Promise<ScannedFile[]>;
  /**
   * Returns the files below the root whose paths follow `path`, in path order. `unhashed`: only
   * files without hashes. `unfound`: of those, only files that are not matched by a SHA-1 that
   * their container states. A page has fewer than `limit` files if their records are large; it is
   * empty only at the end.
   */
  after(
    root: LibraryRoot,
    path: string,
    limit: number,
    options?: { only: 'all' | 'unhashed' | 'unfound' },
  ): Promise<ScannedFile[]>;
  /** Returns all readers, with their versions, that have read files below the root. */
  readers(root: LibraryRoot): Promise<string[]>;
  /** Returns the paths of the files below the root that one of these readers has read. */
  readBy(root: LibraryRoot, readers: readonly string[]): Promise<Set<string>>;
  /** Returns every sheet below the root. */
  sheets(root: LibraryRoot): Promise<Sheet[]>;
  /**
   * Returns, by path, the key of the set that a file was matched with, or "" if it is to be matched
   * again. Files that were matched alone are left out.
   */
  setKeys(root: LibraryRoot): Promise<Map<string, string>>;
  /** Returns the paths of the files below the root that were matched with this set. */
  inSet(root: LibraryRoot, setKey: string): Promise<string[]>;
  /**
   * Returns a number that increases with every change to a known file, and whether the root was
   * last settled at this number.
   */
  stateOf(root: LibraryRoot): Promise<{ version: number; isSettled: boolean }>;
  /** Returns the roots that any scan was given, ordered by path. */
  roots(): Promise<LibraryRoot[]>;
  /** Whether a scan ever walked the root to its end. */
  wasScanned(root: LibraryRoot): Promise<boolean>;
  /** Returns the catalogue version that a root's files were last matched with; "" if never. */
  matchedVersion(root: LibraryRoot): Promise<string>;
}

/**
 * Stores the results of a scan. Each call is one transaction. Throws busy() when another process
 * keeps writing for long.
 */
export interface ScanStore {
  /**
   * Stores files below a root, each matched on its own, replacing the records of their paths. A
   * file without hashes does not replace hashes that another process stored meanwhile for the same
   * size, time and reader. Nor is a record replaced for which an editor chose a release, or
   * withdrew a choice, since it was read.
   */
  save(root: LibraryRoot, scans: readonly StoredScan[]): Promise<void>;
  /**
   * Stores the hashes of a file that belongs to a set, or its damage. Its match is kept until the
   * set is matched again.
   */
  saveHashes(root: LibraryRoot, file: IdentifiedFile): Promise<void>;
  /**
   * Stores matches. Skips files that meanwhile another process read or hashed, or an editor
   * matched.
   */
  saveMatches(root: LibraryRoot, matches: readonly StoredMatch[]): Promise<void>;
  /**
   * Gives known files a new path and inode. A record that already has that path is deleted; the
   * rest of a moved file's record stays.
   */
  move(moves: readonly Move[]): Promise<void>;
  /**
   * Moves known files of the root `from` to other roots, with their whole records. If a file is
   * already known at its new place, one record stays. An editor's match wins, then the record with
   * hashes, then the one that was there. A target root without a host gets the host of `from`.
   */
  handOver(from: LibraryRoot, files: readonly HandedFile[]): Promise<void>;
  /** Forgets a root, unless files are known below it. */
  removeRoot(root: LibraryRoot): Promise<void>;
  forget(ids: readonly number[]): Promise<void>;
  /** Records that the root was walked to its end and has no problem. */
  markScanned(root: LibraryRoot): Promise<void>;
  /** Records why the root could not be scanned. */
  markProblem(root: LibraryRoot, problem: string): Promise<void>;
  markMatched(root: LibraryRoot, version: string): Promise<void>;
  /** Records that all sets below a root are matched, as of that version from `stateOf`. */
  markSettled(root: LibraryRoot, version: number): Promise<void>;
}

/** Looks up files in the catalogue. */
export interface CatalogueEvidence {
  /** Returns the candidates for each look-up. */
  find(lookUps: readonly LookUp[]): Promise<Evidence[]>;
  /**
   * Returns a release in the form used for matching; null if no release with this id is visible to
   * readers.
   */
  candidate(releaseId: number): Promise<Candidate | null>;
  /**
   * Returns a text that changes whenever matching could give a different result: after an import or
   * an edit.
   */
  version(): Promise<string>;
}

/** The library as shown to clients. */
export interface LibraryList {
  /** Returns a text that changes whenever `items` could give a different result. */
  version(): Promise<string>;
  /**
   * Returns one item per name and size, ordered by name. Matched files win over others, then the
   * lowest path wins. Files known under other roots (`related`) count if they are below one of
   * `roots`; the innermost root gives the system.
   */
  items(roots: readonly LibraryRoot[], related?: readonly LibraryRoot[]): Promise<LibraryItem[]>;
  /** Returns all files matched with a release, below any root; ordered by name, then path. */
  ofRelease(releaseId: number): Promise<ReleaseFile[]>;
  /** Counts the files below the roots by matching method; null counts the unmatched ones. */
  countByMethod(roots: readonly LibraryRoot[]): Promise<[MatchedBy | null, number][]>;
  /**
   * Counts the files below the roots that are tied: several releases match and nothing decides
   * between them.
   */
  countTied(roots: readonly LibraryRoot[]): Promise<number>;
  /** Counts the files below the roots that were matched as part of a set. */
  countInSets(roots: readonly LibraryRoot[]): Promise<number>;
}

/** All records of the library. */
export interface LibraryRecords {
  readonly known: KnownFiles;
  readonly scanned: ScannedFiles;
  readonly store: ScanStore;
  readonly catalogue: CatalogueEvidence;
  readonly list: LibraryList;
  readonly files: FileRecords;
}
