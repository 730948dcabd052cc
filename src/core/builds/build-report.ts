import type { LeftOutFile } from './ports.ts';

/** The kinds of steps, as a report counts them. */
export const stepKinds = ['add', 'replace', 'rename', 'keep', 'remove'] as const;
export type StepKind = (typeof stepKinds)[number];

/** A step as it is shown. */
export interface ShownStep {
  readonly step: StepKind;
  readonly path: string;
  /** The former path of a file that is renamed. */
  readonly from?: string;
  readonly size: number;
}

/** A file that was not written or removed. */
export interface BuildProblem {
  /**
   * `conflict` if the build must not touch the file. `failed` if it could not be read or written.
   */
  readonly kind: 'conflict' | 'failed';
  readonly path: string;
  /** A sentence. */
  readonly why: string;
}

/** The steps of a build, planned or made. */
export interface BuildReport {
  readonly target: string;
  readonly steps: readonly ShownStep[];
  /** Number of bytes that are copied, without pictures. */
  readonly bytes: number;
  /** Number of free bytes in the target before the build. */
  readonly freeBytes: number;
  /** Number of bytes that the target lacks for the build; 0 if there is room. */
  readonly lackingBytes: number;
  readonly problems: readonly BuildProblem[];
  readonly leftOut: readonly LeftOutFile[];
  /** Number of releases of the set that the library does not have. */
  readonly missing: number;
}

/** The files of an undo, planned or removed. */
export interface UndoReport {
  readonly target: string;
  /** The paths of the removed files. */
  readonly removed: readonly string[];
  /**
   * The lists that lost the build's entries, and still have those of a player or another program.
   */
  readonly stripped: readonly string[];
  /** The files that were not removed, each with the reason, such as a change since the build. */
  readonly left: readonly BuildProblem[];
}

export interface BuildProgress {
  readonly phase: 'build' | 'undo';
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
  /** The path of the current file. */
  readonly path: string;
}

export interface BuildWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BuildProgress) => void;
}
