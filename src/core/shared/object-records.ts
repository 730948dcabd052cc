/** A file whose bytes are stored as an object in an object store. */
export interface StoredObject {
  readonly name: string;
  /**
   * Object key below the store's URL. Each upload gets a new one, so the content of a key never
   * changes.
   */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Nanoseconds since 1970; always later than that of the previous file of this name. */
  readonly mtimeNs: bigint;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * The database records of files in an object store: the object of each file, and the orphans, which
 * are objects without a file. No byte is in the store without a row. Each method that writes is one
 * short transaction.
 */
export interface ObjectRecords {
  find(area: string, name: string): Promise<StoredObject | null>;
  /** Returns those of these names that exist, in no particular order. */
  findAll(area: string, names: readonly string[]): Promise<StoredObject[]>;
  /** Returns the next files of an area, ordered by name, after `after`. */
  list(area: string, after: string | null, limit: number): Promise<StoredObject[]>;
  count(area: string): Promise<number>;
  /** Returns a number that changes with every change of the area; null before its first file. */
  revision(area: string): Promise<number | null>;
  /**
   * Records an orphan, or renews its record while its upload goes on. Call it before the first byte
   * is written.
   */
  noteOrphan(key: string): Promise<void>;
  /**
   * Gives an orphan, or the object of the upload in `folder`, its name. The previous object of that
   * name becomes an orphan, and the upload has no object any more. Returns the file as it is now.
   * Throws if the key was deleted meanwhile, and `damaged upload` if it no longer belongs to the
   * upload.
   */
  publish(area: string, file: StoredObject, folder?: string): Promise<StoredObject>;
  /** Works like `publish`, but keeps the file's time. If `file` is null, the name is removed. */
  putBack(area: string, name: string, file: StoredObject | null): Promise<void>;
  /** Removes a file; its object becomes an orphan. False if there is no such file. */
  remove(area: string, name: string): Promise<boolean>;
  /** Marks an orphan as being deleted. False if the key has a name or belongs to an upload. */
  claim(key: string): Promise<boolean>;
  /**
   * Does the same for the oldest orphans of at least `ageMs`, and those whose deletion was
   * interrupted; at most `limit`. Returns their keys.
   */
  claimOld(ageMs: number, limit: number): Promise<string[]>;
  /** Deletes the record of an orphan whose object was deleted. */
  forget(key: string): Promise<void>;
}

/**
 * A piece of an upload: an object of its own, or a part of the multipart upload of the whole
 * object.
 */
export type ObjectPiece = {
  /** Start offset in the upload. */
  readonly start: number;
  readonly size: number;
} & (
  | { readonly key: string; readonly part: null }
  | { readonly key: null; readonly part: number; readonly tag: string }
);

/** An upload in chunks whose bytes are stored in an object store. */
export interface ObjectUpload {
  readonly folder: string;
  /** Key of the whole object. */
  readonly key: string;
  /** The store's id of the multipart upload; null before the first part. */
  readonly partsId: string | null;
  /** Size in bytes once the whole upload is one object; else null. */
  readonly wholeSize: number | null;
  /** The pieces, ordered by their start. */
  readonly pieces: readonly ObjectPiece[];
}

/**
 * The database records of such uploads. Each method that writes is one short transaction. Returned
 * keys are keys that have become orphans.
 */
export interface ObjectUploadRecords {
  find(folder: string): Promise<ObjectUpload | null>;
  /** Creates an upload, replacing any upload with this folder. */
  begin(folder: string, key: string): Promise<string[]>;
  /**
   * Stores the id of the multipart upload unless there is one; returns the stored id. Throws
   * `damaged upload` if there is no such upload.
   */
  nameParts(folder: string, key: string, partsId: string): Promise<string>;
  /**
   * Adds a piece, replacing all pieces at or after its start; its key was an orphan until then.
   * Throws `damaged upload` as above.
   */
  addPiece(folder: string, key: string, piece: ObjectPiece): Promise<string[]>;
  /**
   * Replaces the pieces with these keys by one piece made of them. Throws `damaged upload` as
   * above. Throws `busy` if not all of them exist any more, because another process continued the
   * upload meanwhile.
   */
  joinPieces(
    folder: string,
    key: string,
    piece: ObjectPiece,
    joined: readonly string[],
  ): Promise<void>;
  /**
   * Records that the whole upload is one object with this key: its own, that of a piece, or one
   * that had a name.
   */
  makeWhole(folder: string, key: string, size: number): Promise<string[]>;
  remove(folder: string): Promise<string[]>;
  listFolders(): Promise<string[]>;
}
