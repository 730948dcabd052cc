import type { FileArea } from '../shared/files/file-area.ts';

export interface RecentDownload {
  /** The area of the downloaded archive. */
  readonly system: string;
  readonly name: string;
  readonly bytes: number;
  readonly createdAt: string;
  /** Name of the user; null when the user no longer exists or was not recorded. */
  readonly username: string | null;
}

export interface DatabaseStats {
  /** The number of releases of each system, ordered by system. */
  readonly systems: readonly SystemCount[];
  readonly users: number;
  readonly downloads: number;
  /** The newest downloads, newest first; at most 20. */
  readonly recent: readonly RecentDownload[];
}

export interface SystemCount {
  readonly system: string;
  readonly releases: number;
}

export interface StatsRecords {
  /** Returns the number of releases of each system, ordered by system. */
  systems(): Promise<SystemCount[]>;
  stats(): Promise<DatabaseStats>;
}

/**
 * The statistics of the catalogue (account-api.md, endpoint 20). `covers` is the number of files in
 * the covers folder and all folders below it.
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
