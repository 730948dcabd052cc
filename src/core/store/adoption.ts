import type { StagedFile } from '../shared/files/file-area.ts';
import type { FileVersion } from '../shared/files/file-change.ts';
import type { Area } from './area.ts';

/** A manually added file that can be moved into the store. */
export interface ManualFile {
  /** Path below the folder for manually added files, such as `games/A name.zip`. */
  readonly path: string;
  /** The area to store the file in; null if the file is in no area's folder. */
  readonly area: Area | null;
  /** Name of the original file. */
  readonly name: string;
  /** Size in bytes, as of the listing. */
  readonly size: number;
}

/** Receives the progress of reading a file, and can abort reading. */
export interface ReadWatch {
  readonly signal: AbortSignal;
  /**
   * Called with the number of bytes that were just read, or with 0 for any other kind of progress.
   */
  readonly onBytes: (bytes: number) => void;
}

/** The manually added files, which are stored outside the store. */
export interface ManualFiles {
  /** The folder or URL of the manually added files, for display. */
  readonly place: string;
  /** Yields the manually added files, in no particular order. */
  list(): AsyncIterable<ManualFile>;
  /**
   * Stages the bytes of a file in its area, without loading the whole file into memory. Throws
   * refused() with the reason when the file cannot be read or has changed since it was listed.
   * Throws the signal's reason when aborted.
   */
  stage(file: ManualFile & { readonly area: Area }, watch: ReadWatch): Promise<StagedFile>;
  /**
   * Removes the original of a stored file. Does nothing if the original has changed since it was
   * listed.
   */
  remove(file: ManualFile): Promise<void>;
}

/** An archive that a label in the bucket describes. The catalogue may have no record of it. */
export interface LabelledFile extends FileVersion {
  readonly area: Area;
  /** Key of the object with the archive's bytes. */
  readonly key: string;
  readonly mtimeNs: bigint;
  /** True if the object is in the bucket and has the size that the label states. */
  readonly isThere: boolean;
}

/** The archives in the bucket, as their labels describe them. */
export interface LabelledFiles {
  /** The URL of the files, for display. */
  readonly place: string;
  /**
   * Yields the labelled archives, in no particular order. Several archives can have the same name.
   * Throws refused() if the bucket cannot be read, and the signal's reason when aborted.
   */
  list(signal: AbortSignal): AsyncIterable<LabelledFile>;
  /** Returns the bytes of an archive, to be published under its own name. */
  stage(file: LabelledFile): StagedFile;
}

export interface AdoptOptions {
  /** True to replace an existing archive of the same name. */
  readonly replaces: boolean;
}

export interface AdoptProgress {
  readonly files: number;
  readonly bytes: number;
  /** Total bytes of all manually added files. */
  readonly total: number;
  /** Name of the current file. */
  readonly name: string;
}

export interface AdoptReport {
  /** The folder or URL that the files came from. */
  readonly place: string;
  /** Number of files that were stored; `bytes` is their total size. */
  readonly files: number;
  readonly bytes: number;
  /** The files that were not stored, with the reasons. Their originals are not removed. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}
