/** What is read again, in this order. */
export const verifyParts = ['database', 'covers', 'games', 'videos', 'library'] as const;
export type VerifyPart = (typeof verifyParts)[number];

/** `unreadable`: the disk does not give it; nothing can be said of its content. */
export type FindingKind = 'missing' | 'extra' | 'changed' | 'unreadable';

/** Something that is not as it was recorded. */
export interface Finding {
  readonly part: VerifyPart;
  readonly kind: FindingKind;
  /** Where it lies: below the data folder, or in the library, absolute. */
  readonly path: string;
  /** What is wrong, for people. */
  readonly reason: string;
}

/** How far a verification is; everything up to here was compared. */
export interface Position {
  readonly part: VerifyPart;
  /** Within a part, by its own order; "" at its beginning. */
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
  /** When it was begun: before this run, where that goes on with one that was broken off. */
  readonly startedAt: string;
  readonly parts: readonly VerifyPart[];
  /** Files that were compared, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
}

export interface VerifyProgress extends Position {
  /** Bytes of all that is to be read. */
  readonly total: number;
  /** The file in hand. */
  readonly name: string;
}

export interface VerifyOptions {
  readonly parts: readonly VerifyPart[];
  /** Bytes per second; absent for as fast as the disk gives them. */
  readonly rate?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: VerifyProgress) => void;
}
