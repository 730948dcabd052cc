/** What a folder that is written to is like. */
export interface WrittenFolder {
  /** Why it cannot be used, as a sentence about "it"; null when it can. */
  readonly problem: string | null;
  /** What may become one: a file system that loses data; null for nothing. */
  readonly doubt: string | null;
  readonly freeBytes: number;
  /** Files that may still be made; null where the file system has no bound. */
  readonly freeFiles: number | null;
  /** Milliseconds by which the file system's clock is ahead of the system's. */
  readonly clockAheadMs: number;
}

/** What a folder that is only read is like. */
export interface ReadFolder {
  /** Why it cannot be read, as a sentence about "it"; null when it can. */
  readonly problem: string | null;
  readonly isEmpty: boolean;
}

export interface KnownRoot {
  readonly path: string;
  /** Library files that are known below it. */
  readonly files: number;
}

/** What the database says, looked at without changing it. */
export interface DatabaseFacts {
  /** Of its schema; null when it is another program's. */
  readonly version: number | null;
  /** The newest one that this program knows. */
  readonly knownVersion: number;
  /** The roots that were scanned. Empty, like what follows, for another version than the program's own. */
  readonly roots: readonly KnownRoot[];
  /** Where the newest logins came from, at most 100. */
  readonly loginAddresses: readonly string[];
  /** The newest time that anything was recorded, in milliseconds since 1970; null without any. */
  readonly newestRecord: number | null;
}

/** How another server answers. */
export interface ServerAnswer {
  /** Why none came, as a sentence about "it"; null when one came. */
  readonly problem: string | null;
  readonly status: number;
  /** The first bytes of the answer, as text. */
  readonly text: string;
  /** What it says the time is, in milliseconds since 1970; null when it says none. */
  readonly date: number | null;
}

/** What is around the program. Nothing throws; what cannot be had is said in the answer. */
export interface Surroundings {
  /** The version of Node, `24.21.0`. */
  readonly node: string;
  now(): number;
  lookAtData(): Promise<WrittenFolder>;
  /** A string says why it cannot be read; null when there is none. */
  lookAtDatabase(): Promise<DatabaseFacts | string | null>;
  lookAtRoot(path: string): Promise<ReadFolder>;
  /** Why nothing can be written where archives and covers lie, as a sentence; null when it can, or in the data folder. */
  lookAtFiles(): Promise<string | null>;
  /** Of `--backup-to`. */
  lookAtBackups(folder: string): Promise<string | null>;
  /** Asks an address, for at most 10 s. */
  askServer(address: string): Promise<ServerAnswer>;
}

/** The settings that a set-up may have wrong. */
export interface ExaminedSettings {
  readonly data: string;
  /** "" for a file in the data folder. */
  readonly database: string;
  /** Where archives and covers lie; "" for the data folder. */
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
