import type { NewestPage } from '../shared/newest-page.ts';

/** A download of an archive, recorded when it started. */
export interface Download {
  readonly id: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Null when the user no longer exists or was not recorded. */
  readonly username: string | null;
  /** The area. */
  readonly system: string;
  readonly name: string;
  /** The size of the archive. */
  readonly bytes: number;
}

/** Which downloads to list. */
export interface DownloadFilter {
  /** A user by id or name; null for all users. */
  readonly by: { readonly id: number } | { readonly username: string } | null;
  /** The archive's name, exactly; "" for all. */
  readonly name: string;
}

/** The downloads of the store, for reading only. */
export interface DownloadRecords {
  /** Includes downloads that were recorded just now. */
  list(filter: DownloadFilter, page: NewestPage): Promise<Download[]>;
}
