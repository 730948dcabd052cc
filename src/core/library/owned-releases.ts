/**
 * The strongest evidence that the library contains a release: a hash (`verified`), an editor's
 * choice (`manual`), the serial of the disc (`serial`), or only the name of the file (`name`).
 */
export const inLibrary = ['verified', 'manual', 'serial', 'name'] as const;
export type LibraryOwnership = (typeof inLibrary)[number];

/**
 * The ways in which a release can be owned, strongest evidence first: those of `LibraryOwnership`,
 * or only as an archive in the store (`stored`).
 */
export const ownerships = [...inLibrary, 'stored'] as const;
export type Ownership = (typeof ownerships)[number];

/** Finds the releases for which the library has a file. */
export interface OwnedReleases {
  /** Returns true if the library has any file, with or without a release. */
  hasFiles(): Promise<boolean>;
  /** Returns the ids of the releases whose files were added last, newest first. */
  listRecent(limit: number): Promise<number[]>;
  /**
   * Returns the strongest evidence for each of these releases, by id. Releases without a file in
   * the library are absent.
   */
  findOwnership(ids: readonly number[]): Promise<ReadonlyMap<number, LibraryOwnership>>;
}
