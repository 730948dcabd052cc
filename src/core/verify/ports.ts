import type { FileStat } from './file-stat.ts';
import type { Finding, Position, Verification, VerifyPart } from './verification.ts';

/** A part of the stored data that consists of files. */
export type FilePart = 'covers' | 'games' | 'videos';

/** The database record of a stored file, as of the time when it was stored. */
export interface StoredRecord {
  readonly name: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly sha256: string;
}

export interface VerifyRecords {
  /**
   * Returns the unfinished verification of exactly these parts, or starts a new one. Discards an
   * unfinished verification of other parts.
   */
  begin(parts: readonly VerifyPart[]): Promise<Verification>;
  /**
   * Records that everything up to `position` was compared. Also records the findings since the last
   * call.
   */
  savePosition(position: Position, findings: readonly Finding[]): Promise<void>;
  /** Ends the verification. Returns all of its findings, in order. */
  end(): Promise<Finding[]>;
  /**
   * Returns the records of a part's files, ordered by name: those after the name `after`, at most
   * `limit`.
   */
  recorded(part: FilePart, after: string, limit: number): Promise<StoredRecord[]>;
  /** Returns the record of a file; null if there is none. */
  recordOf(part: FilePart, name: string): Promise<StoredRecord | null>;
  /** Returns the total size of a part's recorded files, in bytes. */
  recordedBytes(part: FilePart): Promise<number>;
  /** Reads the whole database. Returns a description of the damage; null if there is none. */
  findDatabaseDamage(): Promise<string | null>;
}

/** The library's record of a file. */
export interface KnownImage extends FileStat {
  readonly path: string;
  /** SHA-1 that the file's content must have; null if no hash was calculated. */
  readonly sha1: string | null;
}

/** The methods of the library that a verification uses. */
export interface VerifiedLibrary {
  /** Returns the paths of the scanned library roots, in order. */
  roots(): Promise<readonly string[]>;
  /** Returns the total size of the files below a root that have a hash, in bytes. */
  hashedBytes(root: string): Promise<number>;
  /**
   * Returns the next records of files below a root, ordered by path, starting after the path
   * `after`. Returns an empty array at the end.
   */
  known(root: string, after: string): Promise<KnownImage[]>;
  /** Returns the record of a file; null when there is none. */
  knownOf(root: string, path: string): Promise<KnownImage | null>;
  /** Returns all files below a root, by path. Throws `DiskFailure` when the root cannot be read. */
  walk(
    root: string,
    onUnreadable: (path: string, reason: string) => void,
  ): Promise<ReadonlyMap<string, FileStat>>;
  /**
   * Returns the present state of one file, as `walk` would return it. Returns null if `walk` would
   * not include the file.
   */
  find(root: string, path: string): Promise<FileStat | { unreadable: string } | null>;
  /**
   * Calculates the SHA-1 of a file's present content. If that fails, returns the reason. Throws the
   * signal's reason when aborted.
   */
  sha1Of(
    root: string,
    path: string,
    options: { signal: AbortSignal; rate?: number | undefined; onBytes: (bytes: number) => void },
  ): Promise<{ sha1: string } | { damaged: string } | { unreadable: string }>;
}
