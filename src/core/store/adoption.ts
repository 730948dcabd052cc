import type { StagedFile } from '../shared/file-area.ts';
import type { Area } from './area.ts';

/** A manually added file that can be taken into the store. */
export interface LaidFile {
  /** Its path below the folder for manually added files: `games/A name.zip`. */
  readonly path: string;
  /** Null for a file that is not in an area. */
  readonly area: Area | null;
  /** Original file name. */
  readonly name: string;
  /** Size in bytes when it was listed. */
  readonly size: number;
}

/** Reports the progress of reading a file, and allows stopping it. */
export interface ReadWatch {
  readonly signal: AbortSignal;
  /** Called with the number of newly read bytes; 0 when something else made progress. */
  readonly onBytes: (bytes: number) => void;
}

/** Manually added files, in a place outside the store. */
export interface LaidFiles {
  /** The place for manually added files, as shown to people. */
  readonly place: string;
  /** Lists them in no particular order. */
  list(): AsyncIterable<LaidFile>;
  /**
   * Stages the file's bytes for publishing in its area, without loading it into memory as a whole.
   * Throws refused() with the reason when it changed since it was listed or cannot be read. Throws
   * the signal's reason when stopped.
   */
  stage(file: LaidFile & { readonly area: Area }, watch: ReadWatch): Promise<StagedFile>;
  /** Removes a file that was taken in; one that changed since then stays. */
  remove(file: LaidFile): Promise<void>;
}

export interface AdoptOptions {
  /** Whether to replace existing archives of the same name. */
  readonly replaces: boolean;
}

export interface AdoptProgress {
  readonly files: number;
  readonly bytes: number;
  /** Total bytes of all files there. */
  readonly total: number;
  /** Name of the current file. */
  readonly name: string;
}

export interface AdoptReport {
  /** The place the files came from. */
  readonly place: string;
  /** Number of files that were taken in; `bytes` is their size. */
  readonly files: number;
  readonly bytes: number;
  /** Files that were not taken in and are still there. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}
