import type { Readable } from 'node:stream';

/** Metadata of one stored file. */
export interface StoredFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Modification time in nanoseconds since 1970. The value exceeds 2^53. */
  readonly mtimeNs: bigint;
  /** Strong entity tag, in quotes, which changes whenever the content changes (RFC 9110, 8.8.3). */
  readonly etag: string;
  /**
   * SHA-256 of the content, lower-case hexadecimal. Only for a file of an area that records it
   * itself.
   */
  readonly sha256?: string;
  /**
   * Inode number, only for a file on a local disk. The number stays the same when the file is
   * written to. The number changes when another file takes the name. Clients never receive this
   * number.
   */
  readonly inode?: bigint;
}

/**
 * Called with the length, in bytes, of each piece after it was read. If it returns a promise,
 * reading waits for that promise.
 */
export type OnBytes = (bytes: number) => Promise<void> | undefined;

/** The response headers with which another server sends a file. */
export interface Presentation {
  /** `Content-Type`. */
  readonly type: string;
  /** `Content-Disposition`. */
  readonly disposition: string;
}

/**
 * One version of a file that is open for reading. Reads return this version even if the name is
 * removed or another file takes the name.
 */
export interface OpenedFile extends StoredFile {
  /**
   * Returns up to `length` bytes from the start of the file. Do not call this method after `stream`
   * or `close`.
   */
  head(length: number): Promise<Uint8Array>;
  /**
   * Reads bytes into a buffer, starting at the byte offset `position`. Returns the number of bytes
   * read, which is 0 past the end of the file. Do not call this method after `close`.
   */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /**
   * Reads the whole file and returns its SHA-256 as lower-case hex. Calls `onBytes` with the length
   * of each piece, and waits for the promise that `onBytes` returns. Throws any error of `onBytes`.
   * If it is absent, hash what `read` returns.
   */
  readSha256?(onBytes: OnBytes): Promise<string>;
  /**
   * Streams the bytes from `start` to `end`, both inclusive as in an HTTP range. Streams all bytes
   * if `range` is absent. Call this method at most once for each opened file. The file is closed
   * when the stream ends or is destroyed.
   */
  stream(range?: { start: number; end: number }): Readable;
  /**
   * Returns a URL from which anyone can download this version for five minutes. Absent if only this
   * program can read the storage.
   */
  signedUrl?(presentation: Presentation): Promise<string>;
  /** Closes the file. Call this method if the file is not streamed. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Bytes that are stored durably in an area, but do not have a name yet. The caller must call
 * `discard`, unless the bytes were published and `takeBack` was not called.
 */
export interface StagedFile {
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /**
   * Gives the bytes a name, and atomically replaces any file of that name. The change is durable
   * when the returned promise resolves.
   */
  publish(name: string): Promise<StoredFile>;
  /**
   * Undoes `publish`, even if `publish` failed. The bytes are then staged again. The name may still
   * refer to these bytes until `PreviousFile.restore` restores the previous file. If it rejects,
   * another file may have the name by now, so `PreviousFile.restore` must not be called.
   */
  takeBack(): Promise<void>;
  /** Deletes the bytes. Never throws. */
  discard(): Promise<void>;
}

/**
 * The file that had a name before a change, or the information that no file had the name. The
 * caller must finally call `release`, even after `restore`.
 */
export interface PreviousFile {
  /** False if the previous file could not be kept. Then `restore` rejects. */
  readonly isRestorable: boolean;
  /**
   * Gives the previous file its name again, or removes the name if there was no previous file. The
   * change is durable when the returned promise resolves. If the promise rejects, either file may
   * have the name.
   */
  restore(): Promise<void>;
  /**
   * Releases the previous file. The previous file is deleted unless `restore` restored it. Never
   * throws.
   */
  release(): Promise<void>;
}

/**
 * A collection of files without subfolders, such as an area of the store, or the covers. Files are
 * identified by names, not by paths. A name is invalid if it is empty, `.` or `..`, contains `/`,
 * `\` or NUL, or is longer than 255 bytes. A symbolic link counts as a file only if the target is a
 * regular file directly in the same area.
 */
export interface FileArea {
  /**
   * Yields the metadata of every file in the area, in no particular order. Yields nothing if the
   * area does not exist.
   */
  list(): AsyncIterable<StoredFile>;
  /**
   * Yields the names of the files in the area, in no particular order. Only symbolic links are
   * checked, so a name may belong to a file that no longer exists.
   */
  names(): AsyncIterable<string>;
  /**
   * Returns a text that changes when a name is added or removed, or gets other bytes. If two
   * changes happen at almost the same time, the second change may leave the text unchanged. Returns
   * null if the area does not exist.
   */
  version(): Promise<string | null>;
  /** Returns the metadata of a file, or null if the file does not exist. */
  find(name: string): Promise<StoredFile | null>;
  /**
   * Synchronously returns a fingerprint of the files with these names. The fingerprint changes when
   * one of the files is added or removed, or gets other bytes. Returns null if the fingerprint
   * cannot be determined synchronously.
   */
  fingerprintSync(names: readonly string[]): string | null;
  /** Opens a file. Returns null if the file does not exist. */
  open(name: string): Promise<OpenedFile | null>;
  /** Returns true if there is room for `bytes` more bytes. */
  hasSpaceFor(bytes: number): Promise<boolean>;
  /**
   * Stores a stream of any length, using little memory. The bytes are durable when the returned
   * promise resolves. Rejects with the error of the stream, or with `insufficient storage` when the
   * disk is full. After an error, none of the bytes remain.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedFile>;
  /** Retains the file that currently has this name, so that a change of the name can be undone. */
  retain(name: string): Promise<PreviousFile>;
  /**
   * Removes a file. Returns false if the file does not exist. The removal is durable when the
   * returned promise resolves.
   */
  remove(name: string): Promise<boolean>;
  /**
   * Counts the files in the area and in all folders below the area. Returns 0 if the area does not
   * exist.
   */
  countTree(): Promise<number>;
}
