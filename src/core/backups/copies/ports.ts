import type { StoredFile } from '../../shared/files/file-area.ts';
import type { BackupPart } from '../backup-parts.ts';
import type { RecordedFile } from '../ports.ts';
import type { CopyWatch } from './copy-report.ts';

/**
 * Destination of a database: either a new file, with a name to show in messages, or the URL of an
 * empty database on a server.
 */
export type DatabaseDestination =
  | { readonly file: string; readonly name: string }
  | { readonly url: string };

/** A file that was copied to its destination. */
export interface CopiedFile extends RecordedFile {
  /** Key of the object in the object store; null for a file on a disk. */
  readonly key: string | null;
}

/** Describes which rows of the database are copied, and what happens during the copy. */
export interface CopyOfRows {
  /**
   * The copied files; the destination database gets new records for them. Null when the files stay
   * in their present storage and their records are copied unchanged.
   */
  readonly files: readonly CopiedFile[] | null;
  /** True if the destination of the files is an object store, even if there are no files. */
  readonly areObjects: boolean;
  /**
   * Called once the state to copy is fixed. Records of files cannot change until the promise that
   * `whileLocked` returns has resolved.
   */
  readonly whileLocked: () => Promise<void>;
  /**
   * Called when all rows are copied and compared. The copy cannot be used as a catalogue until the
   * promise that `beforeEnd` returns has resolved.
   */
  readonly beforeEnd: () => Promise<void>;
}

/** The database of the catalogue that is copied. */
export interface SourceDatabase {
  /** Returns the database's records of a part's files. */
  recorded(part: BackupPart): AsyncIterable<RecordedFile>;
  /**
   * Copies all rows of one consistent state to the destination, and compares every row. Throws
   * refused() with a one-line message when the destination is unusable or not empty, or when a row
   * differs. If files are copied too, also throws refused() while file changes are in progress.
   * Throws the signal's reason when aborted. After an error the destination cannot be used as a
   * catalogue. Uploads are left out if files are copied: `uploads` counts the unfinished ones, and
   * `dats` the finished ones of DATs.
   */
  copy(
    to: DatabaseDestination,
    what: CopyOfRows,
    watch: CopyWatch,
  ): Promise<{ name: string; rows: number; uploads: number; dats: number }>;
}

/** Destination of copied files. */
export interface FilesDestination {
  /** Name of the destination, for messages. */
  readonly name: string;
  /** True if the destination is an object store. */
  readonly hasObjects: boolean;
  /**
   * Finds the copy of this file that an interrupted catalogue copy stored at the destination, or
   * that the restored catalogue had there. Returns null if there is no copy or its size differs.
   */
  find(part: BackupPart, file: StoredFile): Promise<StoredCopy | null>;
  /** Stores a file. When the returned promise resolves, the file is stored durably. */
  put(part: BackupPart, file: StoredFile, bytes: AsyncIterable<Uint8Array>): Promise<StoredCopy>;
  /**
   * Removes files that an interrupted copy stored and this copy did not use. Must be called after
   * all files are copied.
   */
  removeUnused(): Promise<void>;
  /**
   * Ends the copy of the files. Must be called after the database that records them is complete.
   */
  end(): Promise<void>;
  /** Releases the resources of the destination, such as connections. */
  close(): Promise<void>;
}

export interface StoredCopy {
  readonly key: string | null;
  /** Modification time as the destination stores it, in nanoseconds since 1970. */
  readonly mtimeNs: bigint;
  bytes(): AsyncIterable<Uint8Array>;
}
