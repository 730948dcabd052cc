/** A folder of the operator that jobs may build trees in. */
export interface NamedTarget {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
}

/** The last build of a job in a target. */
export interface LastBuild {
  readonly setId: number;
  readonly set: string;
  /** The id of the profile. */
  readonly profile: string;
  /** A timestamp. */
  readonly builtAt: string;
  /** Number of files of the tree; null if the build was not completed. */
  readonly files: number | null;
  readonly problems: number;
  readonly leftOut: number;
}

/** A target of a host. */
export interface StoredTarget {
  readonly name: string;
  /** The name of the host; "" if no other host can use the database. */
  readonly host: string;
  readonly last: LastBuild | null;
}

/** The targets of all hosts. */
export interface TargetRecords {
  /** Records the targets of this host, and forgets all others of this host. */
  register(names: readonly string[]): Promise<void>;
  /** Lists the targets of all hosts by name, then by host. */
  list(): Promise<StoredTarget[]>;
  /** Records the last build of a target of this host; null for none. */
  record(name: string, last: LastBuild | null): Promise<void>;
}

export interface TargetFolders {
  /** Throws refused() for a folder of the catalogue. A folder that cannot be examined passes. */
  check(folder: string): Promise<void>;
  exists(folder: string): Promise<boolean>;
}
