import type { StoredFile } from '../../shared/file-area.ts';
import type { BackupPart } from '../manifest.ts';
import type { RecordedFile } from '../ports.ts';
import type { CopyWatch } from './copy-report.ts';

/**
 * Destination of a database: either a new file, with a name to show in messages, or the URL of an
 * empty database on a server.
 */
export type DatabasePlace =
  | { readonly file: string; readonly name: string }
  | { readonly address: string };

/** A file that was copied to its destination. */
export interface CopiedFile extends RecordedFile {
  /** Key of the object in the object store; null for a file on a disk. */
  readonly key: string | null;
}

/** Describes which rows of the database are copied, and what happens during the copy. */
export interface CopyOfRows {
  /**
   * The files that were copied, whose new records the database gets. Null when the files stay in
   * their present storage; their records are then copied unchanged.
   */
  readonly files: readonly CopiedFile[] | null;
  /**
   * Whether the files were copied to an object store. This must be stated even if there are no
   * files.
   */
  readonly areObjects: boolean;
  /**
   * Called once the state to copy is fixed. Records of files cannot change until the returned
   * promise resolves.
   */
  readonly beside: () => Promise<void>;
  /**
   * Called when all rows are copied and compared. The copy cannot be used as a catalogue before the
   * returned promise resolves.
   */
  readonly beforeEnd: () => Promise<void>;
}

/** The database of the catalogue that is copied. */
export interface CopiedDatabase {
  /** Returns the database's records of a part's files. */
  recorded(part: BackupPart): AsyncIterable<RecordedFile>;
  /**
   * Copies all rows of one consistent state to the destination, and compares every row. Throws
   * refused() with a one-line message when the destination is unusable or not empty, or when a row
   * differs. Also throws refused() when files are copied too while file changes are in progress.
   * After an error the destination cannot be used as a catalogue. Throws the signal's reason.
   */
  copy(
    to: DatabasePlace,
    what: CopyOfRows,
    watch: CopyWatch,
  ): Promise<{ name: string; rows: number; uploads: number }>;
}

/** Destination of copied files. */
export interface FilesPlace {
  /** Name of the destination, for messages. */
  readonly name: string;
  /** Whether the destination is an object store. */
  readonly hasObjects: boolean;
  /**
   * Finds this file among the files that an interrupted copy stored at the destination. Returns
   * null if the file is missing or has another size.
   */
  find(part: BackupPart, file: StoredFile): Promise<FileThere | null>;
  /** Stores a file. The file is stored durably when the returned promise resolves. */
  put(part: BackupPart, file: StoredFile, bytes: AsyncIterable<Uint8Array>): Promise<FileThere>;
  /**
   * Removes files that an interrupted copy stored and this copy did not use. Call it after all
   * files are copied.
   */
  dropOthers(): Promise<void>;
  /** Ends the copy of the files. Call it when the database that records them is complete. */
  end(): Promise<void>;
  /** Releases the resources of the destination, such as connections. */
  close(): Promise<void>;
}

export interface FileThere {
  readonly key: string | null;
  /** Modification time as the destination stores it, in nanoseconds since 1970. */
  readonly mtimeNs: bigint;
  bytes(): AsyncIterable<Uint8Array>;
}
