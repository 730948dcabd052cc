/** How far a copy of a catalogue is. */
export interface CopyProgress {
  /** Of files in bytes, of indexing in steps, of the others in rows. */
  readonly step: 'files' | 'copying' | 'indexing' | 'comparing';
  readonly done: number;
  readonly total: number;
  /** The file or table in hand. */
  readonly name: string;
}

export interface CopyWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CopyProgress) => void;
}

/** What was copied. */
export interface CopyReport {
  /** The database, without user and password. */
  readonly database: string;
  readonly rows: number;
  /** Where the files are now, and which; null where they stay. */
  readonly files: CopiedFilesReport | null;
  /** Uploads that have not ended and stay behind. */
  readonly uploads: number;
}

export interface CopiedFilesReport {
  readonly place: string;
  readonly covers: number;
  readonly archives: number;
  /** Of all. */
  readonly bytes: number;
  /** How many were there already, from a copy that was broken off. */
  readonly skipped: number;
  /** Paths of files whose bytes are not those that were recorded, though size and time are: a disk changed them. */
  readonly damaged: readonly string[];
}
