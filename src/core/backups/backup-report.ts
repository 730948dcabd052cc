/** How far a backup is. */
export interface BackupProgress {
  /** `rows`: those of a server's database are written down, before the file of them is one of the others. */
  readonly step: 'files' | 'rows';
  readonly done: number;
  /** Rows, or bytes as far as it is known: more may come. */
  readonly total: number;
  /** The file or table in hand. */
  readonly name: string;
}

/** What a backup holds. */
export interface BackupReport {
  readonly file: string;
  /** Bytes of the whole. */
  readonly bytes: number;
  /** Files. */
  readonly covers: number;
  /** Null when they were not asked for. */
  readonly archives: number | null;
  /** Paths of files whose bytes are not those that were recorded, though size and time are: a disk changed them. */
  readonly damaged: readonly string[];
}

export interface BackupWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BackupProgress) => void;
}

/** What was restored. */
export interface RestoreReport {
  /** Timestamp: the state of the database; null for a copy of a database alone, which does not say. */
  readonly madeAt: string | null;
  /** Files; null for what the backup does not hold. */
  readonly covers: number | null;
  readonly archives: number | null;
  /** Bytes of all files. */
  readonly bytes: number;
}
