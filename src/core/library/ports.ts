import type { OpenedFile, StoredFile } from '../shared/files/file-area.ts';
import type { PartRevision } from '../shared/requests/part-revision.ts';
import type { Identity, ImageTrack } from './identity.ts';
import type {
  FoundFile,
  IdentifiedFile,
  KnownFile,
  LibraryItem,
  LibraryRoot,
  MatchMethod,
  ReleaseFile,
  ScannedFile,
  TrackedHashes,
} from './library-file.ts';
import type { Candidate, Evidence } from './match/candidate.ts';
import type { LookupKeys } from './match/lookup-keys.ts';
import type { Verdict } from './match/match.ts';
import type { Sheet } from './sets/sheet-files.ts';
import type { FileRecords } from './shown-files.ts';

/**
 * The disks that contain the library roots. Every method throws `DiskFailure` if the OS cannot open
 * or read a file or folder.
 */
export interface Disk {
  /**
   * Yields all regular files below the root, in batches, ordered by path. Throws if the root itself
   * is missing or unreadable. Calls `onUnreadable` for each unreadable folder or file below the
   * root. Skips the folders in `except`, which are paths below the root.
   */
  walk(
    root: string,
    onUnreadable: (path: string, reason: string) => void,
    except?: readonly string[],
  ): AsyncIterable<readonly FoundFile[]>;
  /** Returns the file at a path below the root. Returns null if `walk` would not find the file. */
  find(root: string, path: string): Promise<FoundFile | null>;
  /**
   * Returns the path of a root with all links resolved. Returns the path unchanged if the root is
   * unreachable.
   */
  placeOf(root: string): Promise<string>;
  /**
   * Identifies a file by its content. If the content is damaged or not an image, the returned
   * identity states this. Throws `DamagedImage` if the path is not a regular file. Before reading
   * more than `manyMembers` files of an archive, awaits `beforeMany` at least once.
   */
  identify(path: string, beforeMany?: () => Promise<void>): Promise<Identity>;
  /**
   * Returns the names and versions of the readers for a file with this identity. The text changes
   * when a new version of a reader would read the file differently.
   */
  readerOf(identity: Identity): string;
  /**
   * Returns true if the program has exactly this version of a reader. In this case, reading a file
   * again gives the same result.
   */
  isCurrent(reader: string): boolean;
  /**
   * Hashes the content of a file. Throws `DamagedImage` if the content cannot be read completely.
   * Throws the signal's reason if the signal is aborted. Throws `SpoolDiskFailure` if the file
   * cannot be unpacked to the catalogue's own disk.
   */
  hash(path: string, identity: Identity, options: HashOptions): Promise<TrackedHashes>;
}

export interface HashOptions {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
  /** If true, the content is also compared with all hashes and sizes that the container states. */
  readonly verify?: boolean | undefined;
  /** Maximum number of bytes to read per second; undefined for no limit. */
  readonly rate?: number | undefined;
}

/** The record to store for a file that was identified, or that was matched alone. */
export interface StoredScan extends Pick<Verdict, 'match' | 'tied'> {
  readonly file: IdentifiedFile;
  /**
   * The values that were read from the file, the ids of the releases that these values matched, and
   * the reasons of the decision. Shown to users to explain the match.
   */
  readonly evidence: object;
}

/** The result of matching a known file, alone or as part of its set. */
export interface StoredMatch extends Pick<Verdict, 'match' | 'tied'> {
  readonly file: ScannedFile;
  readonly evidence: object;
  readonly setKey: string | null;
  /** The tracks to hash separately. If set, the stored hashes of the file are deleted. */
  readonly tracks?: readonly ImageTrack[];
}

/** A known file, and the root and file to which it was moved. */
export interface Move {
  readonly id: number;
  readonly root: LibraryRoot;
  readonly to: FoundFile;
}

/** A known file, with the root and path to which its record is handed over. */
export interface HandedFile {
  readonly id: number;
  readonly root: LibraryRoot;
  readonly path: string;
}

/** A file to pack into a zip. Its name is unique within the zip, and has no folders. */
export interface FileToPack extends Pick<StoredFile, 'name' | 'size' | 'mtimeNs' | 'etag'> {
  /** CRC-32 of the file. Null if it is not known. */
  readonly crc32: number | null;
  /** Opens the file. Returns null if it no longer exists. */
  open(): Promise<OpenedFile | null>;
}

/**
 * Returns a zip of these files, which are stored uncompressed. The bytes are produced when they are
 * read, and any range can be read. Reading fails if one of the files has changed. The entity tag
 * and the size depend only on the files. At most one file at a time is open.
 */
export type PackFiles = (name: string, files: readonly FileToPack[]) => OpenedFile;

/** The records of downloads from the library. */
export interface LibraryDownloadRecords {
  /** Records a download as a deferred write; never delays or fails the caller. */
  recordLibraryDownload(event: {
    userId: number;
    system: string;
    name: string;
    bytes: number;
  }): void;
}

/** The number of completed refreshes of the list, over all processes. */
export interface LibraryRefreshes extends PartRevision {
  recordRefresh(): Promise<void>;
}

/** Records when a process of this host last looked for new files, in milliseconds since 1970. */
export interface AutomaticChecks {
  /** Returns null if no process has looked yet. */
  lastAt(): Promise<number | null>;
  record(at: number): Promise<void>;
}

/** The jobs that scan the library, and those that change the catalogue. */
export interface ScanJobs {
  /**
   * Starts a scan that skips files that are still changing. Returns the id of its job. Throws
   * `already running`.
   */
  start(): Promise<number>;
  /** Returns when a job failed, in milliseconds since 1970; null if it has not failed. */
  failedAt(job: number): Promise<number | null>;
  /** Returns true if an import is running or waits for another attempt. */
  isImporting(): Promise<boolean>;
  /**
   * Returns when the last import ended, in milliseconds since 1970. Returns null if there was none,
   * or while one is running.
   */
  importEndedAt(): Promise<number | null>;
}

/** Reads the records of known files. A walk compares these records with the disk. */
export interface KnownFiles {
  /**
   * Yields the known files below a root in path order, in pages, starting after the path `after`.
   * While the caller processes a page, the next page is read in the background.
   */
  pages(root: LibraryRoot, after?: string): AsyncIterable<readonly KnownFile[]>;
  /** Returns the inode number of each file, by file id. */
  inodesOf(ids: readonly number[]): Promise<Map<number, bigint>>;
}

/** Reads the results of earlier scans. */
export interface ScannedFiles {
  /** Returns the known files at these paths below the root, in no particular order. */
  filesAt(root: LibraryRoot, paths: readonly string[]): Promise<ScannedFile[]>;
  /**
   * Returns a page of the files below the root, in path order, starting after `path`. With
   * `unhashed`, only files without hashes are returned. With `unfound`, files matched by a SHA-1
   * that their container states are left out too. A page may have fewer than `limit` files if their
   * records are large. A page is empty only after the last file.
   */
  pageAfter(
    root: LibraryRoot,
    path: string,
    limit: number,
    options?: { only: 'all' | 'unhashed' | 'unfound' },
  ): Promise<ScannedFile[]>;
  /** Returns the names and versions of all readers that have read any file below the root. */
  readers(root: LibraryRoot): Promise<string[]>;
  /** Returns the paths of the files below the root that were read by one of these readers. */
  readBy(root: LibraryRoot, readers: readonly string[]): Promise<Set<string>>;
  /** Returns every sheet below the root. */
  sheets(root: LibraryRoot): Promise<Sheet[]>;
  /**
   * Returns the set keys of the files below the root, by path. A set key identifies the set that
   * the file was matched with, or is "" if the file has to be matched again. Files that were
   * matched alone are left out.
   */
  setKeys(root: LibraryRoot): Promise<Map<string, string>>;
  /** Returns the paths of the files below the root that were matched with this set. */
  pathsInSet(root: LibraryRoot, setKey: string): Promise<string[]>;
  /**
   * Returns the version of the known files: a number that increases with every change to any known
   * file. `areSetsMatched` is true if the last call of `markSetsMatched` for this root recorded
   * this version.
   */
  stateOf(root: LibraryRoot): Promise<{ version: number; areSetsMatched: boolean }>;
  /** Returns the roots of all scans so far, ordered by path. */
  roots(): Promise<LibraryRoot[]>;
  /** Returns true if any scan has walked the root completely. */
  wasScanned(root: LibraryRoot): Promise<boolean>;
  /**
   * Returns the catalogue version with which the files of a root were last matched. Returns "" if
   * they were never matched.
   */
  matchedVersion(root: LibraryRoot): Promise<string>;
}

/**
 * Stores the results of a scan. Each call is one transaction. Throws busy() if another process
 * writes to the database for too long.
 */
export interface ScanStore {
  /**
   * Stores files below a root that were matched alone, and replaces the records at their paths.
   * Stored hashes are retained if the new record has no hashes, and another process meanwhile
   * stored hashes for the same size, time and reader. A record is not replaced if an editor
   * meanwhile chose a release or withdrew a choice.
   */
  save(root: LibraryRoot, scans: readonly StoredScan[]): Promise<void>;
  /**
   * Stores the hashes or the damage of a file that belongs to a set. The stored match of the file
   * is unchanged until the set is matched again.
   */
  saveHashes(root: LibraryRoot, file: IdentifiedFile): Promise<void>;
  /**
   * Stores matches. A file is skipped if meanwhile another process read or hashed it, or an editor
   * chose its release.
   */
  saveMatches(root: LibraryRoot, matches: readonly StoredMatch[]): Promise<void>;
  /**
   * Stores the new path and inode of moved files. The rest of each record is unchanged. If another
   * record already has the new path, that record is deleted.
   */
  move(moves: readonly Move[]): Promise<void>;
  /**
   * Moves the complete records of known files from the root `from` to other roots. If a file
   * already has a record at its new path, one of the two records is deleted:
   * - A record with an editor's choice has priority over a record without one.
   * - A record with hashes has priority over a record without hashes.
   * - Otherwise, the record at the new path has priority.
   *
   * A target root that belongs to no host gets the host of `from`.
   */
  handOver(from: LibraryRoot, files: readonly HandedFile[]): Promise<void>;
  /** Deletes the record of a root. Does nothing if there are known files below the root. */
  removeRoot(root: LibraryRoot): Promise<void>;
  forget(ids: readonly number[]): Promise<void>;
  /** Records that the root was walked completely and has no problem. */
  markScanned(root: LibraryRoot): Promise<void>;
  /** Records the reason why the root could not be scanned. */
  markProblem(root: LibraryRoot, problem: string): Promise<void>;
  markMatched(root: LibraryRoot, version: string): Promise<void>;
  /**
   * Records that all sets below a root are matched. `version` must be the number that `stateOf`
   * returned before the matching.
   */
  markSetsMatched(root: LibraryRoot, version: number): Promise<void>;
}

/** Finds releases in the catalogue that match files. */
export interface CatalogueEvidence {
  /** Returns the evidence for each look-up, in the order of the look-ups. */
  find(lookups: readonly LookupKeys[]): Promise<Evidence[]>;
  /**
   * Returns a release in the form that is used for matching. Returns null if the release does not
   * exist or is not visible to users.
   */
  candidate(releaseId: number): Promise<Candidate | null>;
  /**
   * Returns a text that changes whenever an import or an edit could change the result of matching.
   */
  version(): Promise<string>;
}

/** The library as shown to clients. */
export interface LibraryList {
  /** Returns a text that changes whenever the result of `items` could change. */
  version(): Promise<string>;
  /**
   * Returns one item per name and size, ordered by name. If several files have the same name and
   * size, a matched file is preferred, then the file with the lowest path. A file that is recorded
   * under a root in `related` is included if the file is below one of `roots`. The system of a file
   * is that of the innermost root.
   */
  items(roots: readonly LibraryRoot[], related?: readonly LibraryRoot[]): Promise<LibraryItem[]>;
  /**
   * Returns all files below any root that were matched with a release, ordered by name, then by
   * path.
   */
  ofRelease(releaseId: number): Promise<ReleaseFile[]>;
  /**
   * Counts the files below the roots by matching method. Files without a match are counted under
   * the method null.
   */
  countByMethod(roots: readonly LibraryRoot[]): Promise<[MatchMethod | null, number][]>;
  /**
   * Counts the files below the roots that are tied. A file is tied if several releases match and no
   * evidence decides between them.
   */
  countTied(roots: readonly LibraryRoot[]): Promise<number>;
  /** Counts the files below the roots that got a release as part of a set. */
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
