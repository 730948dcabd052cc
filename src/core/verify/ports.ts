import type { Look } from './look.ts';
import type { Finding, Position, Verification, VerifyPart } from './verification.ts';

/** A part of the data folder that consists of files. */
export type FilePart = 'covers' | 'games' | 'videos';

/** The record of a file, made when it was stored. */
export interface Recorded {
  readonly name: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly sha256: string;
}

export interface VerifyRecords {
  /**
   * Returns the interrupted verification of these parts, else a new one; one of other parts is
   * dropped.
   */
  begin(parts: readonly VerifyPart[]): Promise<Verification>;
  /**
   * Records that everything up to `position` was compared, with the findings since the last call.
   */
  note(position: Position, findings: readonly Finding[]): Promise<void>;
  /** Ends the verification; returns all of its findings, in order. */
  end(): Promise<Finding[]>;
  /** Returns up to `limit` records of a part with names after `after`, ordered by name. */
  recorded(part: FilePart, after: string, limit: number): Promise<Recorded[]>;
  /** Null when the file has no record. */
  recordOf(part: FilePart, name: string): Promise<Recorded | null>;
  /** Returns the total size of a part's recorded files, in bytes. */
  recordedBytes(part: FilePart): Promise<number>;
  /** Reads the whole database; returns why it is damaged, or null. */
  faultOfDatabase(): Promise<string | null>;
}

/** The record of a library file. */
export interface KnownImage extends Look {
  readonly path: string;
  /** The hash to compare its content with; null if none was calculated. */
  readonly sha1: string | null;
}

/** The library, as far as a verification needs it. */
export interface VerifiedLibrary {
  /** Returns the paths of the scanned roots, in order. */
  roots(): Promise<readonly string[]>;
  /** Returns the total size of the files with a hash, in bytes. */
  hashedBytes(root: string): Promise<number>;
  /** Returns known files below a root with paths after `after`, ordered by path. */
  known(root: string, after: string): Promise<KnownImage[]>;
  /** Returns the record of one file; null when there is none. */
  knownOf(root: string, path: string): Promise<KnownImage | null>;
  /** Returns the files below a root, by path. Throws `DiskFailure` when the root cannot be read. */
  walk(
    root: string,
    onUnreadable: (path: string, reason: string) => void,
  ): Promise<ReadonlyMap<string, Look>>;
  /** Returns one file as `walk` would find it now; null when it would not find it. */
  find(root: string, path: string): Promise<Look | { unreadable: string } | null>;
  /**
   * Calculates the SHA-1 of a file's present content, or returns why that failed. Throws the
   * signal's reason.
   */
  sha1Of(
    root: string,
    path: string,
    options: { signal: AbortSignal; rate?: number | undefined; onBytes: (bytes: number) => void },
  ): Promise<{ sha1: string } | { damaged: string } | { unreadable: string }>;
}
