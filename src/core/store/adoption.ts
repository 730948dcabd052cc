import type { StagedFile } from '../shared/file-area.ts';
import type { Area } from './area.ts';

/** A file that somebody laid by hand where it can be taken in. */
export interface LaidFile {
  /** Where it lies, below the place for such: `games/A name.zip`. */
  readonly path: string;
  /** Null for one that lies in none. */
  readonly area: Area | null;
  /** As it was laid. */
  readonly name: string;
  /** Bytes, when it was listed. */
  readonly size: number;
}

/** How reading a file is followed, and stopped. */
export interface ReadWatch {
  readonly signal: AbortSignal;
  /** So many more of its bytes were read; 0 when something else went on. */
  readonly onBytes: (bytes: number) => void;
}

/** Files that lie where the store does not look. */
export interface LaidFiles {
  /** Where they are laid, as people name it. */
  readonly place: string;
  /** In no order. */
  list(): AsyncIterable<LaidFile>;
  /**
   * Its bytes as what an area publishes; they do not pass through memory as a whole. Throws refused() with the reason for one
   * that is not as it was listed, or cannot be read; the signal's reason when it is stopped.
   */
  stage(file: LaidFile & { readonly area: Area }, watch: ReadWatch): Promise<StagedFile>;
  /** Removes one that was taken in; one that was changed since stays. */
  remove(file: LaidFile): Promise<void>;
}

export interface AdoptOptions {
  /** Whether archives that have the name already are replaced. */
  readonly replaces: boolean;
}

export interface AdoptProgress {
  readonly files: number;
  readonly bytes: number;
  /** Bytes of all that lies there. */
  readonly total: number;
  /** The file in hand. */
  readonly name: string;
}

export interface AdoptReport {
  /** Where they lay. */
  readonly place: string;
  /** Those that were taken in, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Those that still lie there. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}
