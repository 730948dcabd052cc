/** The parts of the stored data that can be verified, in the order of verification. */
export const verifyParts = ['database', 'covers', 'games', 'videos', 'library'] as const;
export type VerifyPart = (typeof verifyParts)[number];

/**
 * The kinds of findings. `extra`: the file has no record. `unreadable`: the disk fails to read the
 * file, so its content is unknown.
 */
export type FindingKind = 'missing' | 'extra' | 'changed' | 'unreadable';

/** A difference between the stored data and its records. */
export interface Finding {
  readonly part: VerifyPart;
  readonly kind: FindingKind;
  /**
   * Path of the file: absolute for a file in the library, otherwise relative to the data folder.
   */
  readonly path: string;
  /** Description of the difference, for display. */
  readonly reason: string;
}

/** The position that a verification has reached. Everything before this position was compared. */
export interface Position {
  readonly part: VerifyPart;
  /**
   * Position within the part, in an order that depends on the part; "" for the start of the part.
   */
  readonly after: string;
  readonly files: number;
  readonly bytes: number;
}

export interface Verification {
  /** Timestamp of the start. */
  readonly startedAt: string;
  readonly position: Position;
}

export interface VerifyReport {
  /**
   * Timestamp of the start. If this run resumed an interrupted verification, the timestamp is the
   * start of that verification.
   */
  readonly startedAt: string;
  readonly parts: readonly VerifyPart[];
  /** Number of files that were compared; `bytes` is their total size. */
  readonly files: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
}

export interface VerifyProgress extends Position {
  /** Total number of bytes to read. */
  readonly total: number;
  /** Name of the current file. */
  readonly name: string;
}

export interface VerifyOptions {
  readonly parts: readonly VerifyPart[];
  /** Maximum number of bytes to read per second; undefined for no limit. */
  readonly rate?: number | undefined;
  /**
   * Maximum number of archives or covers to read at the same time; undefined for the default.
   */
  readonly parallel?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: VerifyProgress) => void;
}
