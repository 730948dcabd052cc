import type { Readable } from 'node:stream';

/** Metadata of one stored file. */
export interface StoredFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Modification time in nanoseconds since 1970; exceeds 2^53. */
  readonly mtimeNs: bigint;
  /** Quoted strong entity tag, which changes whenever the content changes (RFC 9110, 8.8.3). */
  readonly etag: string;
  /**
   * Inode number, for a file on a local disk. It stays the same when the file is written to, and
   * changes when another file takes its name. It is never sent to a client.
   */
  readonly inode?: bigint;
}

/**
 * One version of a file, held open. Reads return this version even if its name is removed or given
 * to another file.
 */
export interface OpenedFile extends StoredFile {
  /**
   * Returns the first bytes of the file, at most `length`. Do not call it after `stream` or
   * `close`.
   */
  head(length: number): Promise<Uint8Array>;
  /**
   * Reads bytes from `position` on into a buffer. Returns the number of bytes read; 0 after the end
   * of the file. Do not call it after `close`.
   */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /**
   * Streams the bytes from `start` to `end`, both inclusive as in an HTTP range; all bytes if
   * `range` is absent. Call it at most once for each opened file. The file is closed when the
   * stream ends or is destroyed.
   */
  stream(range?: { start: number; end: number }): Readable;
  /** Closes the file. Call it if the file is not streamed. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Bytes that are stored durably in the area, but do not have a name yet. The caller must call
 * `discard` unless the bytes have a name and keep it.
 */
export interface StagedFile {
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /**
   * Gives the bytes this name, and atomically replaces any file of that name. The change is durable
   * when the returned promise resolves.
   */
  publish(name: string): Promise<StoredFile>;
  /**
   * Undoes `publish`, including a failed one: the bytes are staged again. The name may still lead
   * to these bytes until the previous file is restored (`KeptFile`).
   */
  takeBack(): Promise<void>;
  /** Deletes the bytes; never throws. */
  discard(): Promise<void>;
}

/**
 * The file that had a name before a change, or the fact that there was no such file. The caller
 * must call `drop` in the end, also after `putBack`.
 */
export interface KeptFile {
  /**
   * Gives the previous file its name again. If there was no previous file, removes the name. The
   * change is durable when the returned promise resolves. If the promise rejects, it is unknown
   * which file has the name.
   */
  putBack(): Promise<void>;
  /** Releases the previous file, which is deleted unless `putBack` restored it. Never throws. */
  drop(): Promise<void>;
}

/**
 * A collection of files without subfolders, such as an area of the store, or the covers. Files are
 * identified by names, not paths. No file has a name that is empty, `.` or `..`, contains `/`, `\`
 * or NUL, or has over 255 bytes. A symbolic link is treated as a file only if its target is a
 * regular file directly in the same area.
 */
export interface FileArea {
  /**
   * Yields every file in the area, in no particular order. Yields nothing if the area does not
   * exist.
   */
  list(): AsyncIterable<StoredFile>;
  /**
   * Yields the names of the files in the area, in no particular order. Only symbolic links are
   * checked, so a yielded name may belong to a file that no longer exists.
   */
  names(): AsyncIterable<string>;
  /**
   * Returns a text that changes when a name is added or removed, or gets other bytes. If two
   * changes are made at about the same time, the text may stay the same after the second. Returns
   * null if the area does not exist.
   */
  version(): Promise<string | null>;
  /** Returns the metadata of a file; null if there is no such file. */
  find(name: string): Promise<StoredFile | null>;
  /**
   * Returns a fingerprint of the files that now have these names, without waiting. It changes when
   * one of the files is added or removed, or gets other bytes. Returns null if it cannot be
   * determined synchronously.
   */
  lookNow(names: readonly string[]): string | null;
  /** Opens a file; null if there is no such file. */
  open(name: string): Promise<OpenedFile | null>;
  /** Returns whether there is room for this many bytes. */
  hasRoomFor(bytes: number): Promise<boolean>;
  /**
   * Stores a stream of any length, using little memory. The bytes are stored durably when the
   * returned promise resolves. Rejects with the error of the stream, or with `insufficient storage`
   * when the disk is full. After an error nothing is left.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedFile>;
  /** Keeps the file that now has this name, so that a change of the name can be undone. */
  keep(name: string): Promise<KeptFile>;
  /**
   * Removes a file; returns false if there is none. The removal is durable when the returned
   * promise resolves.
   */
  remove(name: string): Promise<boolean>;
  /** Counts the files in the area and in all folders below it; 0 if the area does not exist. */
  countTree(): Promise<number>;
}
