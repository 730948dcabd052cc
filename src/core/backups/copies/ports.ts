import type { StoredFile } from '../../shared/file-area.ts';
import type { BackupPart } from '../manifest.ts';
import type { RecordedFile } from '../ports.ts';
import type { CopyWatch } from './copy-report.ts';

/**
 * Destination of a database: a new file, with its name for messages, or the address of an empty
 * database on a server.
 */
export type DatabasePlace =
  | { readonly file: string; readonly name: string }
  | { readonly address: string };

/** A file at its destination. */
export interface CopiedFile extends RecordedFile {
  /** Object key; null for a file on a disk. */
  readonly key: string | null;
}

/** Describes which parts of a database are copied. */
export interface CopyOfRows {
  /**
   * The files copied along with it. Null when the files stay where they are, with all that the
   * database records of them.
   */
  readonly files: readonly CopiedFile[] | null;
  /** Whether the copied files are in an object store; there may be no files at all. */
  readonly areObjects: boolean;
  /** Runs once the copied state is fixed. Until it returns, file records cannot change. */
  readonly beside: () => Promise<void>;
  /** Runs when everything is copied and compared, before the copy may be used as a catalogue. */
  readonly beforeEnd: () => Promise<void>;
}

/** The database that is copied. */
export interface CopiedDatabase {
  /** Returns the records of a part's files. */
  recorded(part: BackupPart): AsyncIterable<RecordedFile>;
  /**
   * Fills the destination with all rows of one consistent state, and compares every row. Throws
   * refused() with a line when the destination is not empty or not usable, or when a row differs.
   * Also throws it when files are copied too and file changes are in progress. Then the destination
   * is not usable as a catalogue. Throws the signal's reason.
   */
  copy(
    to: DatabasePlace,
    what: CopyOfRows,
    watch: CopyWatch,
  ): Promise<{ name: string; rows: number; uploads: number }>;
}

/** Destination of copied files. */
export interface FilesPlace {
  /** Its name in messages. */
  readonly name: string;
  /** Whether it is an object store. */
  readonly hasObjects: boolean;
  /**
   * Finds this file among the leftovers of an interrupted copy; null if it is missing or has
   * another size.
   */
  find(part: BackupPart, file: StoredFile): Promise<FileThere | null>;
  /** Stores a file; it is safe when the promise resolves. */
  put(part: BackupPart, file: StoredFile, bytes: AsyncIterable<Uint8Array>): Promise<FileThere>;
  /**
   * Removes leftovers of interrupted copies that this copy did not use. Call it after the last
   * file.
   */
  dropOthers(): Promise<void>;
  /** Call it when the database that records the files is complete. */
  end(): Promise<void>;
  /** Releases its resources. */
  close(): Promise<void>;
}

export interface FileThere {
  readonly key: string | null;
  /** Modification time as the destination stores it. */
  readonly mtimeNs: bigint;
  bytes(): AsyncIterable<Uint8Array>;
}
