/** Time in milliseconds for which a host counts as seen after it was last seen. */
export const seenMs = 3 * 60_000;

/** A folder of the operator in which jobs may build trees. */
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
  /**
   * True if the build took images out of archives. A build without this option removes them again.
   */
  readonly unpacks: boolean;
  /** A timestamp. */
  readonly builtAt: string;
  /** Number of files of the tree; null if the build was not completed. */
  readonly files: number | null;
  readonly problems: number;
  readonly leftOut: number;
}

/** A target with the host that its name belongs to. */
export interface StoredTarget {
  readonly name: string;
  /** The name of the host; "" if no other host can use the database. */
  readonly host: string;
  /** True if a server of the host was seen within `seenMs`. */
  readonly isSeen: boolean;
  readonly last: LastBuild | null;
}

/**
 * The targets of all hosts. A name belongs to one host, until no server of that host was seen for
 * `seenMs`. Then another host with the same name can take it.
 */
export interface TargetRecords {
  /**
   * Records that this host was seen and has these targets. If a name belongs to another host,
   * returns that host's target, and does not record this one.
   */
  claim(names: readonly string[]): Promise<StoredTarget[]>;
  /** Deletes the records of this host's targets that have other names. */
  forgetOthers(names: readonly string[]): Promise<void>;
  /** Lists the targets of all hosts by name. */
  list(): Promise<StoredTarget[]>;
  /** Records the last build of a target of this host; null for none. */
  record(name: string, last: LastBuild | null): Promise<void>;
}

export interface TargetFolders {
  /** Throws refused() for a folder of the catalogue. A folder that cannot be examined passes. */
  check(folder: string): Promise<void>;
  exists(folder: string): Promise<boolean>;
}
