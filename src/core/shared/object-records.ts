/** A file whose bytes are an object of a store. */
export interface StoredObject {
  readonly name: string;
  /** Below the address of the store. Each upload has another one, so that what it names never changes. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Nanoseconds since 1970; later than that of the file before of this name. */
  readonly mtimeNs: bigint;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * What the database keeps of files in an object store: which object each of them is, and which objects are none, called
 * orphans, so that no byte lies in the store without a row. Each method that writes is one short transaction.
 */
export interface ObjectRecords {
  find(area: string, name: string): Promise<StoredObject | null>;
  /** Those of these names that are there, in no order. */
  findAll(area: string, names: readonly string[]): Promise<StoredObject[]>;
  /** The next files of an area by their names, behind `after`. */
  list(area: string, after: string | null, limit: number): Promise<StoredObject[]>;
  count(area: string): Promise<number>;
  /** Changes with every change of the area; null before its first file. */
  revision(area: string): Promise<number | null>;
  /** Notes an orphan, or that it still comes; before the first of its bytes. */
  noteOrphan(key: string): Promise<void>;
  /**
   * Gives an orphan, or the object of the upload in `folder`, its name; what had the name before is an orphan then. The
   * upload has no object any more. Returns the file as it is now. Throws when the key was deleted meanwhile, and `damaged
   * upload` when it is not the upload's any more.
   */
  publish(area: string, file: StoredObject, folder?: string): Promise<StoredObject>;
  /** As `publish`, with its time unchanged; without a file, nothing has the name then. */
  putBack(area: string, name: string, file: StoredObject | null): Promise<void>;
  /** Its object is an orphan then. False when there was no such file. */
  remove(area: string, name: string): Promise<boolean>;
  /** Says that an orphan is deleted now; false for what has a name, or is an upload's. */
  claim(key: string): Promise<boolean>;
  /** The same for the oldest orphans of at least `ageMs`, and those whose deletion was broken off; at most `limit`. */
  claimOld(ageMs: number, limit: number): Promise<string[]>;
  /** After it was deleted. */
  forget(key: string): Promise<void>;
}

/** Bytes of an upload: an object of their own, or a part of the whole one. */
export type ObjectPiece = {
  /** Where they begin. */
  readonly start: number;
  readonly size: number;
} & (
  | { readonly key: string; readonly part: null }
  | { readonly key: null; readonly part: number; readonly tag: string }
);

/** An upload in chunks whose bytes lie in an object store. */
export interface ObjectUpload {
  readonly folder: string;
  /** Of the whole. */
  readonly key: string;
  /** The store's name for its parts; null before the first. */
  readonly partsId: string | null;
  /** Bytes of the whole once it is one object; else null. */
  readonly wholeSize: number | null;
  /** In their order. */
  readonly pieces: readonly ObjectPiece[];
}

/** The rows of such uploads. Each method that writes is one short transaction; keys that it returns are orphans since. */
export interface ObjectUploadRecords {
  find(folder: string): Promise<ObjectUpload | null>;
  /** Makes a new one, in place of one with this folder. */
  begin(folder: string, key: string): Promise<string[]>;
  /** Names the parts of the whole, where they have no name; returns their name. Throws `damaged upload` without an upload. */
  nameParts(folder: string, key: string, partsId: string): Promise<string>;
  /** Adds a piece, in place of all from its start on; its key was an orphan before. Throws `damaged upload` as before. */
  addPiece(folder: string, key: string, piece: ObjectPiece): Promise<string[]>;
  /**
   * Puts a piece in the place of those with these keys, of which it was made. Throws `damaged upload` as before, `busy` when
   * they are not all there: who joins them while another process goes on with the upload comes too late.
   */
  joinPieces(
    folder: string,
    key: string,
    piece: ObjectPiece,
    joined: readonly string[],
  ): Promise<void>;
  /** All of it is one object of this key: its own, one of a piece, or one that had a name. */
  makeWhole(folder: string, key: string, size: number): Promise<string[]>;
  remove(folder: string): Promise<string[]>;
  listFolders(): Promise<string[]>;
}
