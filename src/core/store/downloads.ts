import type { NewestPage } from '../shared/newest-page.ts';

/** A download of an archive. The record is created when the download starts. */
export interface Download {
  readonly id: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Name of the user; null when the user no longer exists or was not recorded. */
  readonly username: string | null;
  /** The area of the archive. */
  readonly system: string;
  readonly name: string;
  /** Size of the archive in bytes. */
  readonly bytes: number;
}

/** Selects downloads by user and archive. */
export interface DownloadFilter {
  /** A user, by id or by name; null selects the downloads of all users. */
  readonly by: { readonly id: number } | { readonly username: string } | null;
  /** Name of the archive, compared exactly; "" selects all archives. */
  readonly name: string;
}

/** Lists the downloads from the store. */
export interface DownloadRecords {
  /**
   * Returns one page of the selected downloads, including those whose record is still a deferred
   * write.
   */
  list(filter: DownloadFilter, page: NewestPage): Promise<Download[]>;
}
