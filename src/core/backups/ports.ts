import type { BackupPart } from './manifest.ts';

/** The database's record of a file that it wrote. */
export interface RecordedFile {
  readonly part: BackupPart;
  readonly name: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly sha256: string;
}

/** A copy of the database in a file of its own. */
export interface DatabaseCopy {
  /** File name in a backup. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Schema version. */
  readonly version: number;
  /** Returns the copy's records of the files of these parts. */
  files(parts: readonly BackupPart[]): AsyncIterable<RecordedFile>;
  stream(): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

/** Reports the progress of a database copy, and allows stopping it. */
export interface DatabaseCopyWatch {
  readonly signal: AbortSignal;
  /**
   * Called with the rows written so far, the total, and the current table. Never called when pages
   * are copied.
   */
  readonly onRows?: (done: number, total: number, table: string) => void;
}

export interface DatabaseCopies {
  /**
   * Writes a consistent copy to a new file while others read and write, and checks its integrity.
   * `beside` runs once the copied state is fixed. Writers are blocked until it returns, so keep it
   * short. Throws refused() for a damaged database or a failing disk, and the signal's reason; then
   * nothing is left.
   */
  copy(to: string, watch: DatabaseCopyWatch, beside?: () => Promise<void>): Promise<DatabaseCopy>;
  /**
   * Completes a copy by appending the SHA-256 of its content, which databases ignore. Throws as
   * `copy`.
   */
  seal(copy: string): Promise<void>;
}

/** A backup that is being written. */
export interface BackupWriter {
  /** Adds a file; `bytes` yields exactly `size` bytes. Returns their SHA-256. */
  add(
    file: { path: string; size: number; mtimeNs: bigint },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<string>;
  /**
   * Adds the manifest and the overall checksum. Everything is safe on disk when it resolves.
   * Returns the size in bytes.
   */
  finish(manifest: Iterable<string>): Promise<number>;
  /** Closes the backup, whether complete or not; may be called more than once. */
  close(): Promise<void>;
}

/**
 * The disk that backups are written to. Each method throws refused() with the path when the disk
 * fails.
 */
export interface BackupFiles {
  /**
   * Lets `write` create a file at `path`, in the folder of `file`, and renames it to `file` when
   * `write` returns. `spare` is a path for another temporary file. Nothing is left after a failure.
   * Throws refused() when `file` exists.
   */
  writeAside<T>(
    file: string,
    write: (places: { path: string; spare: string }) => Promise<T>,
  ): Promise<T>;
  /** Starts a backup of several files in a new file. */
  create(path: string): Promise<BackupWriter>;
}

/** The folder of a server's automatic backups. */
export interface BackupFolder {
  /** Throws refused() with a line when the folder is not writable. */
  check(): Promise<void>;
  /**
   * Returns the start time of this catalogue's newest backup, in milliseconds since 1970; null if
   * there is none. Ignores backups later than `now`: they come from a clock that was wrong.
   */
  newest(now: number): Promise<number | null>;
  /** Returns the file name for a backup that starts at this time. */
  fileAt(ms: number): string;
  /**
   * Removes this catalogue's backups beyond `count`, those later than `now` first. Removes nothing
   * else.
   */
  keepNewest(count: number, now: number): Promise<void>;
}
