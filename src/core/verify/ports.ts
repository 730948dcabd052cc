import type { Look } from './look.ts';
import type { Finding, Position, Verification, VerifyPart } from './verification.ts';

/** A part of the data folder that is full of files. */
export type FilePart = 'covers' | 'games' | 'videos';

/** What was recorded of a file when it was stored. */
export interface Recorded {
  readonly name: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly sha256: string;
}

export interface VerifyRecords {
  /** The verification of these parts that was broken off, else a new one; one of other parts is forgotten. */
  begin(parts: readonly VerifyPart[]): Promise<Verification>;
  /** Everything up to here was compared, with these findings since the last note. */
  note(position: Position, findings: readonly Finding[]): Promise<void>;
  /** Ends the verification; returns all of its findings, in their order. */
  end(): Promise<Finding[]>;
  /** What was recorded of a part, from after a name, in the order of the names; at most so many. */
  recorded(part: FilePart, after: string, limit: number): Promise<Recorded[]>;
  /** Null when nothing is recorded of it. */
  recordOf(part: FilePart, name: string): Promise<Recorded | null>;
  /** Bytes of everything that was recorded of a part. */
  recordedBytes(part: FilePart): Promise<number>;
  /** Reads the database whole; the reason why it is not, or null. */
  faultOfDatabase(): Promise<string | null>;
}

/** A file of the library as it is known. */
export interface KnownImage extends Look {
  readonly path: string;
  /** What its content is compared with; null where nothing was made of it. */
  readonly sha1: string | null;
}

/** The library, as far as it is compared. */
export interface VerifiedLibrary {
  /** The paths of the roots that were scanned, in order. */
  roots(): Promise<readonly string[]>;
  /** Bytes of what has a hash. */
  hashedBytes(root: string): Promise<number>;
  /** What is known below a root, from after a path, in the order of the paths. */
  known(root: string, after: string): Promise<KnownImage[]>;
  /** What is known of one file; null when nothing is. */
  knownOf(root: string, path: string): Promise<KnownImage | null>;
  /** By path, what lies below a root. Throws `DiskFailure` when the root cannot be read. */
  walk(
    root: string,
    onUnreadable: (path: string, reason: string) => void,
  ): Promise<ReadonlyMap<string, Look>>;
  /** One file, as `walk` would find it at this moment; null when it would not. */
  find(root: string, path: string): Promise<Look | { unreadable: string } | null>;
  /** The SHA-1 of what is in a file now; or why there is none. Throws the signal's reason. */
  sha1Of(
    root: string,
    path: string,
    options: { signal: AbortSignal; rate?: number | undefined; onBytes: (bytes: number) => void },
  ): Promise<{ sha1: string } | { damaged: string } | { unreadable: string }>;
}
