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
 * or read a file or folder.
 */
export interface Disk {
  /**
   * Yields all regular files below the root, in batches, ordered by path. Throws if the root itself
   * is missing or unreadable. Calls `onUnreadable` for an unreadable folder or file below the root.
   * Skips the folders in `except`, which are paths below the root.
   */
  walk(
    root: string,
    onUnreadable: (path: string, reason: string) => void,
    except?: readonly string[],
  ): AsyncIterable<readonly FoundFile[]>;
  /** Returns the file at a path below the root; null if `walk` would not find it. */
  find(root: string, path: string): Promise<FoundFile | null>;
  /**
   * Returns the path of a root with every link resolved; returns it unchanged if the root is
   * unreachable.
   */
  placeOf(root: string): Promise<string>;
  /**
   * Identifies a file by its content. If the content is damaged or not an image, the returned
   * identity says so. Throws `DamagedImage` for anything but a regular file. Awaits `beforeMany` at
   * least once before it reads more than `manyMembers` files of an archive.
   */
  identify(path: string, beforeMany?: () => Promise<void>): Promise<Identity>;
  /**
   * Returns the names and versions of the readers for such a file. The text changes when a new
   * version would read the file differently.
   */
  readerOf(identity: Identity): string;
  /**
   * Whether the program has exactly this version of a reader. If so, reading a file again gives the
   * same result.
   */
  isCurrent(reader: string): boolean;
  /**
   * Hashes the content of a file. Throws `DamagedImage` if the content cannot be read to its end,
   * and the signal's reason if aborted. Throws `OwnDiskFailure` if unpacking the file to the
   * catalogue's own disk fails.
   */
  hash(path: string, identity: Identity, options: HashOptions): Promise<TrackedHashes>;
}

export interface HashOptions {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
  /** Whether to check the content against all hashes and sizes that the container states. */
  readonly verify?: boolean | undefined;
  /** Maximum number of bytes to read per second; undefined for no limit. */
  readonly rate?: number | undefined;
}

/** The record to store for a file that was identified, or matched on its own. */
export interface StoredScan extends Verdict {
  readonly file: IdentifiedFile;
  /**
   * The values that were read, and the ids of the releases that they matched. They explain the
   * match to users.
   */
  readonly evidence: object;
}

/** The result of matching a known file, alone or as part of its set. */
export interface StoredMatch extends Verdict {
  readonly file: ScannedFile;
  readonly evidence: object;
  readonly setKey: string | null;
  /**
   * The tracks by which the file has to be hashed. If they are given, the file's present hashes are
   * deleted.
   */
  readonly tracks?: readonly ImageTrack[];
}

/** A known file and its new location. */
export interface Move {
  readonly id: number;
  readonly root: LibraryRoot;
  readonly to: FoundFile;
}

/** A known file, and its new root and path. */
export interface HandedFile {
  readonly id: number;
  readonly root: LibraryRoot;
  readonly path: string;
}

/** The number of completed refreshes of the list, across all processes. */
export interface LibraryRefreshes extends PartRevision {
  note(): Promise<void>;
}

/** Reads the records of known files, which a walk compares with the disk. */
export interface KnownFiles {
  /**
   * Yields the known files below a root whose paths sort after `after`, in path order. While the
   * caller works on a page, the next page is read in the background.
   */
  pages(root: LibraryRoot, after?: string): AsyncIterable<readonly KnownFile[]>;
  /** Returns inode numbers by file id. */
  inodesOf(ids: readonly number[]): Promise<Map<number, bigint>>;
}

/** Reads the results of earlier scans. */
export interface ScannedFiles {
  /** Returns the known files at these paths below the root, in no particular order. */
  at(root: LibraryRoot, paths: readonly string[]): Promise<ScannedFile[]>;
  /**
   * Returns the files below the root whose paths sort after `path`, in path order. With `unhashed`,
   * only files without hashes. With `unfound`, only those of them that are not matched by a SHA-1
   * that their container states. A page may have fewer than `limit` files if their records are
   * large. Only the page after the last file is empty.
   */
  after(
    root: LibraryRoot,
    path: string,
    limit: number,
    options?: { only: 'all' | 'unhashed' | 'unfound' },
  ): Promise<ScannedFile[]>;
  /** Returns the names and versions of all readers that have read files below the root. */
  readers(root: LibraryRoot): Promise<string[]>;
  /** Returns the paths of the files below the root that one of these readers has read. */
  readBy(root: LibraryRoot, readers: readonly string[]): Promise<Set<string>>;
  /** Returns every sheet below the root. */
  sheets(root: LibraryRoot): Promise<Sheet[]>;
  /**
   * Returns, by path, the key of the set that each file was matched with. The key is "" if the file
   * has to be matched again. Files that were matched alone are left out.
   */
  setKeys(root: LibraryRoot): Promise<Map<string, string>>;
  /** Returns the paths of the files below the root that were matched with this set. */
  inSet(root: LibraryRoot, setKey: string): Promise<string[]>;
  /**
   * Returns a number that increases with every change to a known file. `isSettled` says whether
   * `markSettled` was last called with this number.
   */
  stateOf(root: LibraryRoot): Promise<{ version: number; isSettled: boolean }>;
  /** Returns the roots of all scans so far, ordered by path. */
  roots(): Promise<LibraryRoot[]>;
  /** Whether any scan walked the root to its end. */
  wasScanned(root: LibraryRoot): Promise<boolean>;
  /**
   * Returns the catalogue version with which a root's files were last matched; "" if they never
   * were.
   */
  matchedVersion(root: LibraryRoot): Promise<string>;
}

/**
 * Stores the results of a scan. Each call is one transaction. Throws busy() if another process
 * keeps writing to the database for too long.
 */
export interface ScanStore {
  /**
   * Stores files below a root, each matched on its own, and replaces the records at their paths. If
   * a file has no hashes, hashes that another process meanwhile stored for the same size, time and
   * reader are kept. If an editor meanwhile chose a release or withdrew a choice, the record is not
   * replaced.
   */
  save(root: LibraryRoot, scans: readonly StoredScan[]): Promise<void>;
  /**
   * Stores the hashes, or the damage, of a file that belongs to a set. The file keeps its match
   * until the set is matched again.
   */
  saveHashes(root: LibraryRoot, file: IdentifiedFile): Promise<void>;
  /**
   * Stores matches. Skips a file if meanwhile another process read or hashed it, or an editor chose
   * its release.
   */
  saveMatches(root: LibraryRoot, matches: readonly StoredMatch[]): Promise<void>;
  /**
   * Stores the new path and inode of moved files; the rest of their records is kept. A record that
   * already has the new path is deleted.
   */
  move(moves: readonly Move[]): Promise<void>;
  /**
   * Moves the complete records of known files from the root `from` to other roots. If a file is
   * already known at its new place, only one of the two records is kept. A record with an editor's
   * choice is preferred, then one with hashes, then the one at the new place. A target root without
   * a host gets the host of `from`.
   */
  handOver(from: LibraryRoot, files: readonly HandedFile[]): Promise<void>;
  /** Deletes the record of a root, unless there are known files below the root. */
  removeRoot(root: LibraryRoot): Promise<void>;
  forget(ids: readonly number[]): Promise<void>;
  /** Records that the root was walked to its end and has no problem. */
  markScanned(root: LibraryRoot): Promise<void>;
  /** Records why the root could not be scanned. */
  markProblem(root: LibraryRoot, problem: string): Promise<void>;
  markMatched(root: LibraryRoot, version: string): Promise<void>;
  /**
   * Records that all sets below a root are matched. `version` is the number that `stateOf` returned
   * before the matching.
   */
  markSettled(root: LibraryRoot, version: number): Promise<void>;
}

/** Finds releases in the catalogue that match files. */
export interface CatalogueEvidence {
  /** Returns the candidates for each look-up, in the same order. */
  find(lookUps: readonly LookUp[]): Promise<Evidence[]>;
  /**
   * Returns a release in the form used for matching. Null if no release with this id exists or if
   * users cannot see it.
   */
  candidate(releaseId: number): Promise<Candidate | null>;
  /**
   * Returns a text that changes whenever matching could give a different result, after an import or
   * an edit.
   */
  version(): Promise<string>;
}

/** The library as shown to clients. */
export interface LibraryList {
  /** Returns a text that changes whenever `items` could give a different result. */
  version(): Promise<string>;
  /**
   * Returns one item per name and size, ordered by name. If several files have the same name and
   * size, a matched file is preferred, then the lowest path. A file known under another root
   * (`related`) is included if it is below one of `roots`. The file's system is that of the
   * innermost root.
   */
  items(roots: readonly LibraryRoot[], related?: readonly LibraryRoot[]): Promise<LibraryItem[]>;
  /**
   * Returns all files below any root that were matched with a release, ordered by name, then path.
   */
  ofRelease(releaseId: number): Promise<ReleaseFile[]>;
  /**
   * Counts the files below the roots by matching method. The method null stands for files without a
   * match.
   */
  countByMethod(roots: readonly LibraryRoot[]): Promise<[MatchedBy | null, number][]>;
  /**
   * Counts the files below the roots that are tied: several releases match, and no evidence decides
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
