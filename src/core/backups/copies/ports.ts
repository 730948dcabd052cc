import type { StoredFile } from '../../shared/file-area.ts';
import type { BackupPart } from '../manifest.ts';
import type { RecordedFile } from '../ports.ts';
import type { CopyWatch } from './copy-report.ts';

/** Where a database goes: a new file, with what it is called in messages, or the address of an empty database on a server. */
export type DatabasePlace =
  | { readonly file: string; readonly name: string }
  | { readonly address: string };

/** A file where it was copied to. */
export interface CopiedFile extends RecordedFile {
  /** Its object; null for a file on a disk. */
  readonly key: string | null;
}

/** What is copied of a database. */
export interface CopyOfRows {
  /** The files that go with it; null where they stay, with all that the database tells of them. */
  readonly files: readonly CopiedFile[] | null;
  /** Whether these lie in an object store then, though there may be none. */
  readonly areObjects: boolean;
  /** Runs when its state is fixed; until it returns nobody changes what the database tells of files. */
  readonly beside: () => Promise<void>;
  /** Runs when all of it is there and compared, before anybody may take it for a catalogue. */
  readonly beforeEnd: () => Promise<void>;
}

/** The database that is copied. */
export interface CopiedDatabase {
  /** What was recorded of the files of a part. */
  recorded(part: BackupPart): AsyncIterable<RecordedFile>;
  /**
   * Fills a place with all rows as they are at one moment, and compares every one. Throws refused() with a line for a place
   * that is not empty or cannot be used, for a difference, and where files go too and changes of them are under way; then
   * nothing takes the place for a catalogue. Throws the signal's reason.
   */
  copy(
    to: DatabasePlace,
    what: CopyOfRows,
    watch: CopyWatch,
  ): Promise<{ name: string; rows: number; uploads: number }>;
}

/** Where files are copied to. */
export interface FilesPlace {
  /** What it is called in messages. */
  readonly name: string;
  /** Whether it is an object store. */
  readonly hasObjects: boolean;
  /** What a copy that was broken off left of this file; null when there is nothing, or of another size. */
  find(part: BackupPart, file: StoredFile): Promise<FileThere | null>;
  /** Stores a file, safe when it resolves. */
  put(part: BackupPart, file: StoredFile, bytes: AsyncIterable<Uint8Array>): Promise<FileThere>;
  /** Removes what copies that were broken off left and this one did not ask for; after the last file. */
  dropOthers(): Promise<void>;
  /** When the database that tells of them is whole. */
  end(): Promise<void>;
  /** Lets go of what it works with. */
  close(): Promise<void>;
}

export interface FileThere {
  readonly key: string | null;
  /** As the place keeps it. */
  readonly mtimeNs: bigint;
  bytes(): AsyncIterable<Uint8Array>;
}
