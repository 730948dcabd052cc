import type { Look } from './look.ts';
import type { Finding, Position, Verification, VerifyPart } from './verification.ts';

/** A part of the stored data that consists of files. */
export type FilePart = 'covers' | 'games' | 'videos';

/** The record that was written when a file was stored. */
export interface Recorded {
  readonly name: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly sha256: string;
}

export interface VerifyRecords {
  /**
   * Returns the unfinished verification of exactly these parts, or starts a new one. Drops an
   * unfinished verification of other parts.
   */
  begin(parts: readonly VerifyPart[]): Promise<Verification>;
  /**
   * Records that everything up to `position` was compared, and the findings since the last call.
   */
  note(position: Position, findings: readonly Finding[]): Promise<void>;
  /** Ends the verification. Returns all of its findings, in order. */
  end(): Promise<Finding[]>;
  /**
   * Returns the records of a part's files, ordered by name. The first is the one after the name
   * `after`; there are at most `limit`.
   */
  recorded(part: FilePart, after: string, limit: number): Promise<Recorded[]>;
  /** Returns the record of a file; null if there is none. */
  recordOf(part: FilePart, name: string): Promise<Recorded | null>;
  /** Returns the total size of a part's recorded files, in bytes. */
  recordedBytes(part: FilePart): Promise<number>;
  /** Reads the whole database. Returns a description of the damage; null if there is none. */
  faultOfDatabase(): Promise<string | null>;
}

/** The record of a file in the library. */
export interface KnownImage extends Look {
  readonly path: string;
  /** The hash that the file's content must have; null if no hash was calculated. */
  readonly sha1: string | null;
}

/** The methods of the library that a verification uses. */
export interface VerifiedLibrary {
  /** Returns the paths of the scanned library roots, in order. */
  roots(): Promise<readonly string[]>;
  /** Returns the total size of the files below a root that have a hash, in bytes. */
  hashedBytes(root: string): Promise<number>;
  /**
   * Returns some records of files below a root, ordered by path. The first is the one after the
   * path `after`.
   */
  known(root: string, after: string): Promise<KnownImage[]>;
  /** Returns the record of a file; null when there is none. */
  knownOf(root: string, path: string): Promise<KnownImage | null>;
  /** Returns all files below a root, by path. Throws `DiskFailure` when the root cannot be read. */
  walk(
    root: string,
    onUnreadable: (path: string, reason: string) => void,
  ): Promise<ReadonlyMap<string, Look>>;
  /**
   * Returns the present state of one file, as `walk` would return it. Returns null when `walk`
   * would not return the file.
   */
  find(root: string, path: string): Promise<Look | { unreadable: string } | null>;
  /**
   * Calculates the SHA-1 of a file's present content. If that fails, returns the reason. Throws the
   * signal's reason.
   */
  sha1Of(
    root: string,
    path: string,
    options: { signal: AbortSignal; rate?: number | undefined; onBytes: (bytes: number) => void },
  ): Promise<{ sha1: string } | { damaged: string } | { unreadable: string }>;
}
