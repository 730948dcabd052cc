/** A file of an area. The bytes of the file are stored as an object in an object store. */
export interface StoredObject {
  readonly name: string;
  /**
   * Key of the object, relative to the URL of the object store. Each upload gets a new key, so the
   * content of an object never changes.
   */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /**
   * Modification time in nanoseconds since 1970. The time of a new file is always later than the
   * time of the file that it replaces.
   */
  readonly mtimeNs: bigint;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * The database records of files in an object store. Every object in the store has a record. An
 * object belongs to a file or to an upload, or is an orphan. Each method that writes is one short
 * transaction.
 */
export interface ObjectRecords {
  find(area: string, name: string): Promise<StoredObject | null>;
  /** Returns the existing files among these names, in no particular order. */
  findAll(area: string, names: readonly string[]): Promise<StoredObject[]>;
  /**
   * Returns up to `limit` files of an area, ordered by name, starting after the name `after`. If
   * `after` is null, starts at the first file.
   */
  list(area: string, after: string | null, limit: number): Promise<StoredObject[]>;
  count(area: string): Promise<number>;
  /**
   * Returns a number that changes with every change of the area. Returns null before the first file
   * is added.
   */
  revision(area: string): Promise<number | null>;
  /**
   * Records an object as an orphan. For an existing orphan, sets the time of the record to now,
   * because the upload of the object continues. Call this method before the first byte is sent to
   * the store.
   */
  recordOrphan(key: string): Promise<void>;
  /**
   * Makes an object the file with the name `file.name`, and returns the recorded file. Without
   * `folder`, the object must be an orphan. With `folder`, the object must belong to the upload in
   * that folder, and the record of this upload is deleted. The object of the previous file with
   * this name becomes an orphan. Throws if the key was deleted meanwhile. Throws `damaged upload`
   * if the object no longer belongs to the upload.
   */
  publish(area: string, file: StoredObject, folder?: string): Promise<StoredObject>;
  /**
   * Makes an object that no record refers to, or an orphan, the file with the name `file.name`.
   * Returns false if the object belongs to another file or to an upload, is being deleted, or if
   * the name has a file.
   */
  attach(area: string, file: StoredObject): Promise<boolean>;
  /** Undoes `attach`. The object has no record then. */
  detach(area: string, name: string, key: string): Promise<void>;
  /**
   * Undoes `publish`: gives the name to `file` again, with the earlier modification time of `file`.
   * If `file` is null, removes the name.
   */
  restore(area: string, name: string, file: StoredObject | null): Promise<void>;
  /**
   * Removes a file. The object of the file becomes an orphan. Returns false if the file does not
   * exist.
   */
  remove(area: string, name: string): Promise<boolean>;
  /**
   * Marks an orphan as being deleted. Returns false if the object is not an orphan, but belongs to
   * a file or an upload.
   */
  claim(key: string): Promise<boolean>;
  /**
   * Marks up to `limit` orphans as being deleted, oldest first, and returns their keys. Only
   * orphans that are at least `ageMs` milliseconds old are marked. After an interrupted deletion,
   * the same orphan is marked again.
   */
  claimOld(ageMs: number, limit: number): Promise<string[]>;
  /** Removes the record of an orphan. Call this method after the object was deleted. */
  forget(key: string): Promise<void>;
}

/**
 * A piece of an upload. A piece is stored as a separate object, or as one part of a multipart
 * upload of the whole object.
 */
export type ObjectPiece = {
  /** Offset in bytes of the piece within the upload. */
  readonly start: number;
  readonly size: number;
} & (
  | { readonly key: string; readonly part: null }
  | { readonly key: null; readonly part: number; readonly tag: string }
);

/** An upload that is stored in pieces in an object store. */
export interface ObjectUpload {
  readonly folder: string;
  /** Key of the object that will contain the whole upload. */
  readonly key: string;
  /** Id of the multipart upload in the object store; null before its first part. */
  readonly partsId: string | null;
  /** Size in bytes of the whole upload; null until one object contains the whole upload. */
  readonly wholeSize: number | null;
  /** The pieces of the upload, in order. */
  readonly pieces: readonly ObjectPiece[];
}

/**
 * The database records of uploads in an object store. Each method that writes is one short
 * transaction. A method that returns keys returns the keys of objects that became orphans.
 */
export interface ObjectUploadRecords {
  find(folder: string): Promise<ObjectUpload | null>;
  /** Records a new upload. Replaces an earlier upload with the same folder. */
  begin(folder: string, key: string): Promise<string[]>;
  /**
   * Records the id of the multipart upload, unless an id is already recorded. Returns the recorded
   * id. Throws `damaged upload` if the upload does not exist.
   */
  nameParts(folder: string, key: string, partsId: string): Promise<string>;
  /**
   * Adds a piece to an upload. The object of the piece was an orphan before. Removes all pieces
   * that start at or after the new piece. Throws `damaged upload` if the upload does not exist.
   */
  addPiece(folder: string, key: string, piece: ObjectPiece): Promise<string[]>;
  /**
   * Replaces the pieces with the keys `joined` by one piece with the same bytes. Throws `damaged
   * upload` if the upload does not exist. Throws `busy` if one of the joined pieces no longer
   * exists, because another process continued the upload meanwhile.
   */
  joinPieces(
    folder: string,
    key: string,
    piece: ObjectPiece,
    joined: readonly string[],
  ): Promise<void>;
  /**
   * Records that the object with this key contains the whole upload. The object may be the upload's
   * own object, the object of its only piece, or an object that was published before.
   */
  makeWhole(folder: string, key: string, size: number): Promise<string[]>;
  remove(folder: string): Promise<string[]>;
  listFolders(): Promise<string[]>;
}
