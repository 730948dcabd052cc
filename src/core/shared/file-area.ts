import type { Readable } from 'node:stream';

/** Metadata of one stored file. */
export interface StoredFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Modification time in nanoseconds since 1970; exceeds 2^53. */
  readonly mtimeNs: bigint;
  /** Changes whenever the content does; a quoted strong entity tag (RFC 9110, 8.8.3). */
  readonly etag: string;
  /**
   * Inode number; it stays the same when a file on a local disk is written to in place. Never sent
   * to a client.
   */
  readonly inode?: bigint;
}

/**
 * One version of a file, held open: reads stay consistent even if the name is overwritten or
 * removed.
 */
export interface OpenedFile extends StoredFile {
  /** Returns the first bytes, at most `length`. Call it before streaming or closing the file. */
  head(length: number): Promise<Uint8Array>;
  /**
   * Reads from `position` into a buffer. Returns the number of bytes read, 0 past the end. Call it
   * before closing the file.
   */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /**
   * Streams the bytes from `start` to `end` (both inclusive, like an HTTP range), or everything if
   * `range` is absent. At most one stream per opened file; when it ends or is destroyed, the file
   * is closed.
   */
  stream(range?: { start: number; end: number }): Readable;
  /** Closes a file that was not streamed. May be called at any time, more than once. */
  close(): Promise<void>;
}

/**
 * Bytes that are safely stored in the area but have no name yet. Call `discard` unless they were
 * given a name and keep it.
 */
export interface StagedFile {
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /**
   * Gives the bytes their name, atomically replacing any file of that name. Durable on disk when it
   * resolves.
   */
  publish(name: string): Promise<StoredFile>;
  /**
   * Undoes `publish`, also one that failed: the bytes are staged again. They may also keep the name
   * until the previous file is restored (`KeptFile`).
   */
  takeBack(): Promise<void>;
  /** Drops the bytes; never throws. */
  discard(): Promise<void>;
}

/**
 * The previous holder of a name before a change, or the fact that there was none. Exactly one of
 * `putBack` and `drop` must be called.
 */
export interface KeptFile {
  /**
   * Gives the previous file its name again; if there was none, removes the name from its present
   * file. Durable on disk when it resolves. If it rejects, it is unknown which file has the name.
   */
  putBack(): Promise<void>;
  /** Releases the previous file; never throws. */
  drop(): Promise<void>;
}

/**
 * A flat collection of files: one store area, or the covers. It knows no paths. Files whose names
 * are not plain (empty, `.`, `..`, with `/`, `\` or NUL, over 255 bytes) do not exist. A symbolic
 * link counts only if its target is a regular file directly in the same area.
 */
export interface FileArea {
  /**
   * Yields every regular file directly in the area, in no particular order; none if the area does
   * not exist.
   */
  list(): AsyncIterable<StoredFile>;
  /**
   * Yields the names of its files, in no particular order. Only links are checked, so a file may
   * already be gone.
   */
  names(): AsyncIterable<string>;
  /**
   * Returns a text that changes when a name appears, disappears or gets other bytes. Two changes at
   * about the same time may give one version. Null if the area does not exist.
   */
  version(): Promise<string | null>;
  /** Returns the metadata of a file; null if there is no such file. */
  find(name: string): Promise<StoredFile | null>;
  /**
   * Returns a fingerprint of the present files of these names, synchronously. It changes when one
   * of them appears, disappears or gets other bytes. Null if that cannot be determined without
   * waiting.
   */
  lookNow(names: readonly string[]): string | null;
  /** Opens a file; null if there is no such file. */
  open(name: string): Promise<OpenedFile | null>;
  /** Whether there is room to stage this many bytes. */
  hasRoomFor(bytes: number): Promise<boolean>;
  /**
   * Stages a stream of any length in bounded memory; the bytes are on disk when it resolves.
   * Rejects with the stream's own error, or with `insufficient storage` on a full disk; nothing is
   * left behind then.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedFile>;
  /** Keeps the file that has this name now, so that changing it can be undone. */
  keep(name: string): Promise<KeptFile>;
  /** Removes a file; false if there is none. The removal is durable on disk when it resolves. */
  remove(name: string): Promise<boolean>;
  /** Counts the files in the whole tree below the area; 0 if it does not exist. */
  countTree(): Promise<number>;
}
