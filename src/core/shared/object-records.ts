/** A file of an area whose bytes are stored as an object in an object store. */
export interface StoredObject {
  readonly name: string;
  /**
   * Key of the object, relative to the URL of the object store. Each upload gets a new key, so the
   * content of a key never changes.
   */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /**
   * Modification time in nanoseconds since 1970. It is always later than that of the previous file
   * of this name.
   */
  readonly mtimeNs: bigint;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * The database records of files in an object store. There are records of files, each with its
 * object, and of orphans, which are objects without a file. Every object in the store has a record.
 * Each method that writes is one short transaction.
 */
export interface ObjectRecords {
  find(area: string, name: string): Promise<StoredObject | null>;
  /** Returns the files that exist among these names, in no particular order. */
  findAll(area: string, names: readonly string[]): Promise<StoredObject[]>;
  /**
   * Returns up to `limit` files of an area, ordered by name. The first is the one after the name
   * `after`.
   */
  list(area: string, after: string | null, limit: number): Promise<StoredObject[]>;
  count(area: string): Promise<number>;
  /**
   * Returns a number that changes with every change of the area; null before the first file is
   * added.
   */
  revision(area: string): Promise<number | null>;
  /**
   * Records an orphan, or extends its record while its upload continues. Call it before the first
   * byte is sent to the store.
   */
  noteOrphan(key: string): Promise<void>;
  /**
   * Makes an object the file of this name. The object is an orphan, or belongs to the upload in
   * `folder`, which then has no object any more. The object of the previous file of this name
   * becomes an orphan. Returns the recorded file. Throws if the key was deleted meanwhile. Throws
   * `damaged upload` if the object no longer belongs to the upload.
   */
  publish(area: string, file: StoredObject, folder?: string): Promise<StoredObject>;
  /**
   * Undoes `publish`: makes `file` the file of this name again, with its earlier modification time.
   * If `file` is null, removes the name.
   */
  putBack(area: string, name: string, file: StoredObject | null): Promise<void>;
  /** Removes a file, whose object becomes an orphan. Returns false if there is no such file. */
  remove(area: string, name: string): Promise<boolean>;
  /**
   * Marks an orphan as being deleted. Returns false if the object belongs to a file or an upload.
   */
  claim(key: string): Promise<boolean>;
  /**
   * Marks the oldest orphans as being deleted, at most `limit`, and returns their keys. These are
   * orphans that are at least `ageMs` milliseconds old, and those whose deletion was interrupted.
   */
  claimOld(ageMs: number, limit: number): Promise<string[]>;
  /** Removes the record of an orphan. Call it after deleting the object. */
  forget(key: string): Promise<void>;
}

/**
 * A piece of an upload. It is stored as a separate object, or as one part of a multipart upload of
 * the whole object.
 */
export type ObjectPiece = {
  /** Position of its first byte in the upload. */
  readonly start: number;
  readonly size: number;
} & (
  | { readonly key: string; readonly part: null }
  | { readonly key: null; readonly part: number; readonly tag: string }
);

/** An upload whose bytes are stored in an object store in pieces. */
export interface ObjectUpload {
  readonly folder: string;
  /** Key of the object that will contain the whole upload. */
  readonly key: string;
  /** Id of the multipart upload in the object store; null before its first part. */
  readonly partsId: string | null;
  /** Size in bytes when one object contains the whole upload; null before that. */
  readonly wholeSize: number | null;
  /** The pieces of the upload, in order. */
  readonly pieces: readonly ObjectPiece[];
}

/**
 * The database records of uploads in an object store. Each method that writes is one short
 * transaction. A method that returns keys returns those of objects that became orphans.
 */
export interface ObjectUploadRecords {
  find(folder: string): Promise<ObjectUpload | null>;
  /** Records a new upload. Replaces an earlier upload with this folder. */
  begin(folder: string, key: string): Promise<string[]>;
  /**
   * Records the id of the multipart upload, unless an id is already recorded. Returns the recorded
   * id. Throws `damaged upload` if there is no such upload.
   */
  nameParts(folder: string, key: string, partsId: string): Promise<string>;
  /**
   * Adds a piece, which was an orphan before. Removes all pieces that start at or after the new
   * one. Throws `damaged upload` if there is no such upload.
   */
  addPiece(folder: string, key: string, piece: ObjectPiece): Promise<string[]>;
  /**
   * Replaces the pieces with the keys `joined` by one piece with the same bytes. Throws `damaged
   * upload` if there is no such upload. Throws `busy` if one of these pieces no longer exists,
   * because another process continued the upload meanwhile.
   */
  joinPieces(
    folder: string,
    key: string,
    piece: ObjectPiece,
    joined: readonly string[],
  ): Promise<void>;
  /**
   * Records that the object with this key contains the whole upload. It may be the upload's own
   * object, the object of its only piece, or an object that was published before.
   */
  makeWhole(folder: string, key: string, size: number): Promise<string[]>;
  remove(folder: string): Promise<string[]>;
  listFolders(): Promise<string[]>;
}
