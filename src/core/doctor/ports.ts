/** The state of a folder that the program writes to. */
export interface WrittenFolder {
  /** Why it cannot be used, as a sentence about "it"; null if it can. */
  readonly problem: string | null;
  /** A likely future problem, such as a file system that loses data; null if there is none. */
  readonly doubt: string | null;
  readonly freeBytes: number;
  /** How many more files can be created; null if the file system has no limit. */
  readonly freeFiles: number | null;
  /** Milliseconds by which the file system's clock is ahead of the system clock. */
  readonly clockAheadMs: number;
}

/** The state of a folder that the program only reads. */
export interface ReadFolder {
  /** Why it cannot be read, as a sentence about "it"; null if it can. */
  readonly problem: string | null;
  readonly isEmpty: boolean;
}

export interface KnownRoot {
  readonly path: string;
  /** Number of recorded library files below it. */
  readonly files: number;
}

/** Facts about the database, read without changing it. */
export interface DatabaseFacts {
  /** Schema version; null when the database belongs to another program. */
  readonly version: number | null;
  /** The newest schema version that this program knows. */
  readonly knownVersion: number;
  /**
   * Roots that were scanned. This and the fields below are empty when the schema version is not the
   * program's own.
   */
  readonly roots: readonly KnownRoot[];
  /** IP addresses of the newest logins, at most 100. */
  readonly loginAddresses: readonly string[];
  /** The newest time of any record, in milliseconds since 1970; null if there is none. */
  readonly newestRecord: number | null;
}

/** Another server's response. */
export interface ServerAnswer {
  /** Why there was no response, as a sentence about "it"; null if there was one. */
  readonly problem: string | null;
  readonly status: number;
  /** The first bytes of the response, as text. */
  readonly text: string;
  /** The time it states, in milliseconds since 1970; null if it states none. */
  readonly date: number | null;
}

/** The environment of the program. No method throws; a failure is part of the result. */
export interface Surroundings {
  /** Version of Node, such as `24.21.0`. */
  readonly node: string;
  now(): number;
  lookAtData(): Promise<WrittenFolder>;
  /** Returns a string that says why the database cannot be read, or null if there is none. */
  lookAtDatabase(): Promise<DatabaseFacts | string | null>;
  lookAtRoot(path: string): Promise<ReadFolder>;
  /**
   * Returns why archives and covers cannot be written, as a sentence. Null if they can, or if they
   * are in the data folder.
   */
  lookAtFiles(): Promise<string | null>;
  /** Checks the folder of `--backup-to`. */
  lookAtBackups(folder: string): Promise<string | null>;
  /** Requests a URL, with a timeout of 10 s. */
  askServer(address: string): Promise<ServerAnswer>;
}

/** The settings that the doctor checks. */
export interface ExaminedSettings {
  readonly data: string;
  /** "" for a file in the data folder. */
  readonly database: string;
  /** Storage for archives and covers; "" for the data folder. */
  readonly files: string;
  readonly gamesRoots: readonly string[];
  readonly videosRoots: readonly string[];
  /** "" for none. */
  readonly coverSource: string;
  readonly publicUrls: readonly string[];
  readonly basePath: string;
  readonly trustedProxies: readonly string[];
  /** "" for none. */
  readonly backupTo: string;
}
