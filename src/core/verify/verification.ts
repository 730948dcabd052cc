/** Parts that are read again, in this order. */
export const verifyParts = ['database', 'covers', 'games', 'videos', 'library'] as const;
export type VerifyPart = (typeof verifyParts)[number];

/** `unreadable`: the disk fails to read it, so its content is unknown. */
export type FindingKind = 'missing' | 'extra' | 'changed' | 'unreadable';

/** A difference from the record. */
export interface Finding {
  readonly part: VerifyPart;
  readonly kind: FindingKind;
  /** Path of the file: relative to the data folder, or absolute in the library. */
  readonly path: string;
  /** A description of the problem, for display. */
  readonly reason: string;
}

/** Position of a verification; everything up to here was compared. */
export interface Position {
  readonly part: VerifyPart;
  /** Position within a part, in the part's own order; "" at its start. */
  readonly after: string;
  readonly files: number;
  readonly bytes: number;
}

export interface Verification {
  /** Timestamp. */
  readonly startedAt: string;
  readonly position: Position;
}

export interface VerifyReport {
  /** When the verification began; a run that resumes an interrupted one keeps its time. */
  readonly startedAt: string;
  readonly parts: readonly VerifyPart[];
  /** Number of compared files; `bytes` is their size. */
  readonly files: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
}

export interface VerifyProgress extends Position {
  /** Total bytes to read. */
  readonly total: number;
  /** The current file. */
  readonly name: string;
}

export interface VerifyOptions {
  readonly parts: readonly VerifyPart[];
  /** Bytes per second; absent for full speed. */
  readonly rate?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: VerifyProgress) => void;
}
