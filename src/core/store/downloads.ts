import type { NewestPage } from '../shared/newest-page.ts';

/**
 * The kinds of downloads: an archive of the store, a file of the library, or a file that a device
 * read without copying it.
 */
export const downloadKinds = ['archive', 'library', 'stream'] as const;
export type DownloadKind = (typeof downloadKinds)[number];

/**
 * A download of an archive or a library file. The record is created when the download starts. All
 * reads of a file by a device within an hour are one download.
 */
export interface Download {
  readonly id: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Name of the user; null when the user no longer exists or was not recorded. */
  readonly username: string | null;
  readonly kind: DownloadKind;
  /** The area of the archive; for a library file, the system of its root or its platform. */
  readonly system: string;
  readonly name: string;
  /** Size of the file in bytes. */
  readonly bytes: number;
}

/** Selects downloads by user and archive. */
export interface DownloadFilter {
  /** A user, by id or by name; null selects the downloads of all users. */
  readonly by: { readonly id: number } | { readonly username: string } | null;
  /** Name of the file, compared exactly; "" selects all files. */
  readonly name: string;
}

/** Lists the downloads from the store and the library. */
export interface DownloadRecords {
  /**
   * Returns one page of the selected downloads, including those whose record is still a deferred
   * write.
   */
  list(filter: DownloadFilter, page: NewestPage): Promise<Download[]>;
}
