/** Progress of a catalogue copy. */
export interface CopyProgress {
  /**
   * Unit of `done` and `total`: bytes for `files`, steps for `indexing`, and rows for `copying` and
   * `comparing`.
   */
  readonly step: 'files' | 'copying' | 'indexing' | 'comparing';
  readonly done: number;
  readonly total: number;
  /** Name of the current file or table. */
  readonly name: string;
}

export interface CopyWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CopyProgress) => void;
}

/** The result of a catalogue copy. */
export interface CopyReport {
  /** Name of the database, without user and password. */
  readonly database: string;
  readonly rows: number;
  /** The result of copying the files; null when the files were not copied. */
  readonly files: CopiedFilesReport | null;
  /** Number of unfinished uploads that were left out. */
  readonly uploads: number;
  /** Number of uploaded DATs that were left out; the copy cannot import them. */
  readonly dats: number;
}

export interface CopiedFilesReport {
  readonly place: string;
  readonly covers: number;
  readonly archives: number;
  /** Total bytes of all files. */
  readonly bytes: number;
  /** Number of files that an interrupted copy had already stored at the destination. */
  readonly skipped: number;
  /**
   * Paths of files whose bytes differ from the recorded hash although size and modification time
   * match the record. The disk has corrupted these files.
   */
  readonly damaged: readonly string[];
}
