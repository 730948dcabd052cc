/** The state of a folder that the program writes to. */
export interface WrittenFolder {
  /**
   * Reason why the folder cannot be used, as a sentence with the subject "it"; null if it can be
   * used.
   */
  readonly problem: string | null;
  /** A possible later problem, such as a file system that loses data; null if there is none. */
  readonly doubt: string | null;
  readonly freeBytes: number;
  /** Number of files that can still be created; null if the file system has no such limit. */
  readonly freeFiles: number | null;
  /** Milliseconds by which the clock of the file system is ahead of the clock of this machine. */
  readonly clockAheadMs: number;
}

/** The state of a folder that the program only reads. */
export interface ReadableFolder {
  /**
   * Reason why the folder cannot be read, as a sentence with the subject "it"; null if it can be
   * read.
   */
  readonly problem: string | null;
  readonly isEmpty: boolean;
}

export interface KnownRoot {
  readonly path: string;
  /** Number of recorded library files below the root. */
  readonly files: number;
}

/** Facts about the database, which is only read. */
export interface DatabaseFacts {
  /** Version of the database schema; null when the database belongs to another program. */
  readonly version: number | null;
  /** The newest schema version that this program supports. */
  readonly knownVersion: number;
  /**
   * The library roots that were scanned. This field and the following fields are empty unless the
   * database has this program's schema version.
   */
  readonly roots: readonly KnownRoot[];
  /** IP addresses of the newest logins; at most 100. */
  readonly loginAddresses: readonly string[];
  /** The newest time in any record, in milliseconds since 1970; null if there is none. */
  readonly newestRecord: number | null;
}

/** The response of another server, or the reason for its absence. */
export interface ProbeResponse {
  /**
   * Reason why there was no response, as a sentence with the subject "it"; null if there was a
   * response.
   */
  readonly problem: string | null;
  readonly status: number;
  /** The first bytes of the response, as text. */
  readonly text: string;
  /** The time in the response, in milliseconds since 1970; null if there is none. */
  readonly date: number | null;
}

/** Access to the environment of the program. No method throws: a failure is part of the result. */
export interface DoctorEnvironment {
  /** Version of Node, such as `24.21.0`. */
  readonly node: string;
  now(): number;
  inspectData(): Promise<WrittenFolder>;
  /**
   * Returns the facts about the database. Returns a string with the reason if the database cannot
   * be read, and null if there is no database.
   */
  inspectDatabase(): Promise<DatabaseFacts | string | null>;
  inspectRoot(path: string): Promise<ReadableFolder>;
  /**
   * Returns a sentence with the reason why archives and covers cannot be written. Returns null if
   * they can be written, or if they are stored in the data folder.
   */
  inspectFiles(): Promise<string | null>;
  /**
   * Checks the folder of `--backup-to`. Returns the reason why the folder cannot be used; null if
   * it can be used.
   */
  inspectBackups(folder: string): Promise<string | null>;
  /** Requests a URL. The timeout is 10 s. */
  probeServer(url: string): Promise<ProbeResponse>;
}

/** The settings that the doctor checks. */
export interface ExaminedSettings {
  readonly data: string;
  /** URL of the database; "" for a file in the data folder. */
  readonly database: string;
  /** Location of archives and covers; "" for the data folder. */
  readonly files: string;
  readonly gamesRoots: readonly string[];
  readonly videosRoots: readonly string[];
  /** URL of the cover source; "" for none. */
  readonly coverSource: string;
  readonly publicUrls: readonly string[];
  readonly basePath: string;
  readonly trustedProxies: readonly string[];
  /** Folder for automatic backups; "" for none. */
  readonly backupTo: string;
}
