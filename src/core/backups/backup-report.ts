/** Progress of a backup. */
export interface BackupProgress {
  /**
   * `rows`: the rows of a server's database are being written to a file, which is then one of the
   * files.
   */
  readonly step: 'files' | 'rows';
  readonly done: number;
  /** Number of rows, or of bytes as far as known: it may grow. */
  readonly total: number;
  /** The current file or table. */
  readonly name: string;
}

/** The content of a backup. */
export interface BackupReport {
  readonly file: string;
  /** Total size in bytes. */
  readonly bytes: number;
  /** Number of files. */
  readonly covers: number;
  /** Null when they were not requested. */
  readonly archives: number | null;
  /**
   * Paths of files whose bytes differ from the record while size and time do not: a disk changed
   * them.
   */
  readonly damaged: readonly string[];
}

export interface BackupWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BackupProgress) => void;
}

/** The result of a restore. */
export interface RestoreReport {
  /**
   * Timestamp of the database state; null for a bare copy of a database, which does not state it.
   */
  readonly madeAt: string | null;
  /** Number of files; null for parts that the backup does not contain. */
  readonly covers: number | null;
  readonly archives: number | null;
  /** Total bytes of all files. */
  readonly bytes: number;
}
