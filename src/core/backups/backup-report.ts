/** Progress of a backup. */
export interface BackupProgress {
  /**
   * `files`: files are being written to the backup. `rows`: the rows of a database server are being
   * written to a temporary file, which later becomes part of the backup.
   */
  readonly step: 'files' | 'rows';
  readonly done: number;
  /** Total number of rows or bytes. The number of bytes may grow while the backup runs. */
  readonly total: number;
  /** Name of the current file or table. */
  readonly name: string;
}

/** The result of a backup. */
export interface BackupReport {
  readonly file: string;
  /** Total size in bytes. */
  readonly bytes: number;
  /** Number of cover files in the backup. */
  readonly covers: number;
  /** Number of archive files in the backup; null when archives were not requested. */
  readonly archives: number | null;
  /**
   * Paths of files whose bytes differ from the recorded hash although size and modification time
   * match the record. The disk has corrupted these files.
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
   * Timestamp of the database state. Null when the backup is a bare copy of a database, which does
   * not contain this time.
   */
  readonly madeAt: string | null;
  /**
   * Number of restored cover files and archives; null for a part that the backup does not contain.
   */
  readonly covers: number | null;
  readonly archives: number | null;
  /** Total bytes of all files. */
  readonly bytes: number;
}
