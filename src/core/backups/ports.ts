import type { BackupPart } from './manifest.ts';

/** What the database recorded of a file that it wrote. */
export interface RecordedFile {
  readonly part: BackupPart;
  readonly name: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly sha256: string;
}

/** A copy of the database in a file of its own. */
export interface DatabaseCopy {
  /** Of its file in a backup. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Of its schema. */
  readonly version: number;
  /** What it recorded of the files of these parts. */
  files(parts: readonly BackupPart[]): AsyncIterable<RecordedFile>;
  stream(): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

/** How a copy of the database is followed, and stopped. */
export interface DatabaseCopyWatch {
  readonly signal: AbortSignal;
  /** So many rows of all are written, and which table is in hand; never called where pages are copied. */
  readonly onRows?: (done: number, total: number, table: string) => void;
}

export interface DatabaseCopies {
  /**
   * Writes a consistent copy to a new file, while others read and write, and looks whether it is whole. `beside` runs
   * when its state is fixed; until it returns nobody writes, so it is short. Throws refused() for a database that is
   * damaged and for a disk that fails, and the signal's reason; nothing is left then.
   */
  copy(to: string, watch: DatabaseCopyWatch, beside?: () => Promise<void>): Promise<DatabaseCopy>;
  /** Ends a copy with the SHA-256 of what it holds, which databases do not look at. Throws as `copy`. */
  seal(copy: string): Promise<void>;
}

/** A backup that is being written. */
export interface BackupWriter {
  /** Adds a file; `bytes` gives exactly `size` of them. Returns their SHA-256. */
  add(
    file: { path: string; size: number; mtimeNs: bigint },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<string>;
  /** Adds the manifest and the sum of everything; all of it is safe on disk when it resolves. Returns how many bytes. */
  finish(manifest: Iterable<string>): Promise<number>;
  /** Ends it, whole or not; may be called more than once. */
  close(): Promise<void>;
}

/** The disk that backups are written to. Each throws refused() with the path for what the disk does not do. */
export interface BackupFiles {
  /**
   * Has `write` make a file at `path`, in the folder of `file`, and gives it that name when it returns. `spare` is for
   * another file meanwhile. Nothing is left of what fails. Throws refused() when `file` is there.
   */
  writeAside<T>(
    file: string,
    write: (places: { path: string; spare: string }) => Promise<T>,
  ): Promise<T>;
  /** Begins a backup of several files in a new file. */
  create(path: string): Promise<BackupWriter>;
}

/** The folder of backups that a server makes by itself. */
export interface BackupFolder {
  /** Throws refused() with a line when nothing can be written there. */
  check(): Promise<void>;
  /**
   * When the newest of this catalogue was begun, in milliseconds since 1970; null when there is none. One that is later
   * than `now` is from a clock that was wrong, and does not count.
   */
  newest(now: number): Promise<number | null>;
  /** The name for one that begins then. */
  fileAt(ms: number): string;
  /** Removes those of this catalogue beyond so many, those later than `now` first; nothing else. */
  keepNewest(count: number, now: number): Promise<void>;
}
