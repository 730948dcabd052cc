/** Progress of a catalogue copy. */
export interface CopyProgress {
  /**
   * The unit of `done` and `total` is bytes for `files`, steps for `indexing`, and rows for the
   * others.
   */
  readonly step: 'files' | 'copying' | 'indexing' | 'comparing';
  readonly done: number;
  readonly total: number;
  /** The current file or table. */
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
  /** The copied files and their new place; null when the files stay where they are. */
  readonly files: CopiedFilesReport | null;
  /** Number of unfinished uploads, which are not copied. */
  readonly uploads: number;
}

export interface CopiedFilesReport {
  readonly place: string;
  readonly covers: number;
  readonly archives: number;
  /** Total bytes of all files. */
  readonly bytes: number;
  /** Number of files that an interrupted copy had already copied. */
  readonly skipped: number;
  /**
   * Paths of files whose bytes differ from the record while size and time do not: a disk changed
   * them.
   */
  readonly damaged: readonly string[];
}
