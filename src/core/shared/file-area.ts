import type { Readable } from 'node:stream';

/** What is known of one stored file. */
export interface StoredFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Modification time in nanoseconds since 1970; exceeds 2^53. */
  readonly mtimeNs: bigint;
  /** Changes whenever the content does; a quoted strong entity tag (RFC 9110, 8.8.3). */
  readonly etag: string;
  /** Stays the same when a file on a local disk is written to in place. It is never sent to a client. */
  readonly inode?: bigint;
}

/** One version of a file, held open: what is read stays whole even when the name is overwritten or removed. */
export interface OpenedFile extends StoredFile {
  /** The first bytes, at most `length`; before it is streamed or closed. */
  head(length: number): Promise<Uint8Array>;
  /** Reads from `position` on into a buffer: how many bytes, none behind the end. Before it is closed. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /**
   * The bytes from `start` to `end` (both inclusive, like an HTTP range); everything when both are absent.
   * At most one stream per opened file; when it ends or is destroyed, the file is closed.
   */
  stream(range?: { start: number; end: number }): Readable;
  /** Closes a file that was not streamed. May be called at any time, more than once. */
  close(): Promise<void>;
}

/** Bytes that are safe in the area but have no name yet. `discard` is called unless they got one and keep it. */
export interface StagedFile {
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Gives the bytes their name, replacing a file of that name at once; safe on disk when it resolves. */
  publish(name: string): Promise<StoredFile>;
  /**
   * After `publish`, also one that failed: the bytes are staged again. They may have the name as well, until what had it
   * before is put back (`KeptFile`).
   */
  takeBack(): Promise<void>;
  /** Drops the bytes; never throws. */
  discard(): Promise<void>;
}

/** What had a name before a change, or that nothing had it. Exactly one of `putBack` and `drop` is called. */
export interface KeptFile {
  /**
   * Gives it the name again; when nothing had it, takes it from what has it now. Safe on disk when it resolves;
   * rejects when that could not be done, and what has the name then is not known.
   */
  putBack(): Promise<void>;
  /** Lets it go; never throws. */
  drop(): Promise<void>;
}

/**
 * A flat place for files: one store area, or the covers. It knows no paths. A name that is no plain file name
 * (empty, `.`, `..`, with `/`, `\` or NUL, over 255 bytes) is a file that does not exist. A symbolic link counts
 * only when its target is a regular file directly in the same area.
 */
export interface FileArea {
  /** Every regular file directly in the area, in no order; empty when the area does not exist. */
  list(): AsyncIterable<StoredFile>;
  /** The names of its files, in no order, without a look at any but links; meanwhile one may be gone. */
  names(): AsyncIterable<string>;
  /**
   * Changes when a name appears, goes or is given to other bytes, but for two changes at about the same time; null when
   * the area does not exist.
   */
  version(): Promise<string | null>;
  /** Null when there is no such file. */
  find(name: string): Promise<StoredFile | null>;
  /**
   * What these names stand for at this moment, told at once: another text when one of them appears, goes or is given other
   * bytes. Null when that cannot be told without waiting.
   */
  lookNow(names: readonly string[]): string | null;
  /** Null when there is no such file. */
  open(name: string): Promise<OpenedFile | null>;
  /** Whether there is room to stage this many bytes. */
  hasRoomFor(bytes: number): Promise<boolean>;
  /**
   * Streams bytes in, whatever their number, in bounded memory; they are on disk when it resolves. Rejects with the
   * stream's own error when that fails, with `insufficient storage` on a full disk; nothing is left behind then.
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedFile>;
  /** Keeps what has this name now, so that a change of it can be taken back. */
  keep(name: string): Promise<KeptFile>;
  /** False when there was no such file; the removal is safe on disk when it resolves. */
  remove(name: string): Promise<boolean>;
  /** Number of files in the whole tree below the area; 0 when it does not exist. */
  countTree(): Promise<number>;
}
