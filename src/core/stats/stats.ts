import type { FileArea } from '../shared/file-area.ts';

export interface RecentDownload {
  /** The area. */
  readonly system: string;
  readonly name: string;
  readonly bytes: number;
  readonly createdAt: string;
  /** Null when the user no longer exists or was not recorded. */
  readonly username: string | null;
}

export interface DatabaseStats {
  /** Ordered by system. */
  readonly systems: readonly SystemCount[];
  readonly users: number;
  readonly downloads: number;
  /** Up to 20, newest first. */
  readonly recent: readonly RecentDownload[];
}

export interface SystemCount {
  readonly system: string;
  readonly releases: number;
}

export interface StatsRecords {
  /** Ordered by system. */
  systems(): Promise<SystemCount[]>;
  stats(): Promise<DatabaseStats>;
}

/**
 * The figures of the dashboard (account-api.md, endpoint 20); `covers` counts every file in the
 * covers folder tree.
 */
export class Stats {
  readonly #records: StatsRecords;
  readonly #covers: FileArea;

  constructor(parts: { records: StatsRecords; covers: FileArea }) {
    this.#records = parts.records;
    this.#covers = parts.covers;
  }

  /** Returns the number of releases of each system, ordered by system. */
  systems(): Promise<SystemCount[]> {
    return this.#records.systems();
  }

  async get(): Promise<DatabaseStats & { covers: number }> {
    const [database, covers] = await Promise.all([this.#records.stats(), this.#covers.countTree()]);
    return { ...database, covers };
  }
}
