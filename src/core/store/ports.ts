import type { StoredFile } from '../shared/files/file-area.ts';
import type { FileChange } from '../shared/files/file-change.ts';
import type { ReleaseNames } from './archive-name.ts';
import type { Area } from './area.ts';

/** A change of the store: an archive is stored or removed. */
export interface ArchiveChange extends FileChange {
  readonly area: Area;
}

/** A release whose name fits the name of an archive. */
export interface MatchingRelease {
  readonly id: number;
  readonly name: string;
}

/** A name of a release, of a source's row or of a ROM, with the release that has the name. */
export interface NearName {
  readonly name: string;
  readonly isRom: boolean;
  readonly release: MatchingRelease;
}

/** The database records of the store, except those of file changes. */
export interface StoreRecords {
  /** Records a download as a deferred write; never delays or fails the caller. */
  recordDownload(event: { userId: number | null; area: Area; name: string; bytes: number }): void;
  /**
   * Returns the recorded SHA-256 of each of these files, by name. Files that have changed since
   * they were stored are absent.
   */
  findChecksums(area: Area, files: readonly StoredFile[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the names of files that were stored with this size in bytes; at most 100. */
  listBySize(area: Area, size: number): Promise<string[]>;
  /** Returns several names just before and several names just after a text in code point order. */
  namesNear(text: string): Promise<NearName[]>;
  /** Returns the names of these releases, by id. */
  namesOf(releases: readonly number[]): Promise<ReadonlyMap<number, ReleaseNames>>;
}
