import type { BackupPart } from './backup-parts.ts';

/** The database's record of a file that this program stored. */
export interface RecordedFile {
  readonly part: BackupPart;
  readonly name: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly sha256: string;
}

/** A copy of the database in a separate file. */
export interface DatabaseCopy {
  /** File name of the copy in a backup. */
  readonly name: string;
  /** Size of the copy in bytes. */
  readonly size: number;
  /** Version of the database schema. */
  readonly version: number;
  /** Returns the records of the files of these parts, as the copy contains them. */
  files(parts: readonly BackupPart[]): AsyncIterable<RecordedFile>;
  stream(): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

/** Receives the progress of a database copy, and can abort the copy. */
export interface DatabaseCopyWatch {
  readonly signal: AbortSignal;
  /**
   * Called with the number of rows written so far, the total, and the current table. Not called
   * when the database file is copied page by page.
   */
  readonly onRows?: (done: number, total: number, table: string) => void;
}

export interface DatabaseCopies {
  /**
   * Writes a consistent copy to a new file while others read and write, and checks the copy's
   * integrity. Calls `whileLocked` once the state to copy is fixed. Until the promise of
   * `whileLocked` resolves, writers are blocked, so `whileLocked` must be fast. Throws refused()
   * for a damaged database or a failing disk. Throws the signal's reason when aborted. After an
   * error no file is left.
   */
  copy(
    to: string,
    watch: DatabaseCopyWatch,
    whileLocked?: () => Promise<void>,
  ): Promise<DatabaseCopy>;
  /**
   * Completes a copy by appending the SHA-256 of its content to the file. Databases ignore the
   * appended bytes. Throws the errors of `copy`.
   */
  seal(copy: string): Promise<void>;
}

/** A backup that is being written. */
export interface BackupWriter {
  /** Adds a file and returns the SHA-256 of its bytes. `bytes` must yield exactly `size` bytes. */
  add(
    file: { path: string; size: number; mtimeNs: bigint },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<string>;
  /**
   * Adds the manifest and the overall checksum. Returns the size of the backup in bytes. When the
   * returned promise resolves, the whole backup is stored durably.
   */
  finish(manifest: Iterable<string>): Promise<number>;
  /** Closes the file of the backup, whether it is complete or not. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * The disk that backups are written to. Every method throws refused() with the path when the disk
 * fails.
 */
export interface BackupFiles {
  /**
   * Calls `write`, which must create a file at `path`, in the folder of `file`. When `write` has
   * ended, renames that file to `file`. `write` may also create a temporary file at `spare`, which
   * is always removed. After a failure no file is left. Throws refused() when `file` exists.
   */
  writeAtomically<T>(
    file: string,
    write: (places: { path: string; spare: string }) => Promise<T>,
  ): Promise<T>;
  /** Creates a new file for a backup that contains several files. */
  create(path: string): Promise<BackupWriter>;
}

/** The folder that receives a server's automatic backups. */
export interface BackupFolder {
  /** Throws usageError() with a one-line message when the folder is not writable. */
  check(): Promise<void>;
  /**
   * Returns the time when this catalogue's newest backup began, in milliseconds since 1970; null if
   * there is none. Ignores backups with a time after `now`, because they were made while the clock
   * was wrong.
   */
  newest(now: number): Promise<number | null>;
  /** Returns the path of the file for a backup that begins at this time. */
  fileAt(ms: number): string;
  /**
   * Removes all but this catalogue's newest `count` backups. Backups with a time after `now` are
   * removed first. Does not remove any other file.
   */
  keepNewest(count: number, now: number): Promise<void>;
}
