import type { StoredFile } from '../shared/file-area.ts';
import type { FileChange } from '../shared/file-change.ts';
import type { Area } from './area.ts';

/** An archive that is uploaded or removed. */
export interface ArchiveChange extends FileChange {
  readonly area: Area;
}

/** The release that an archive is named like. */
export interface FittingRelease {
  readonly id: number;
  readonly name: string;
}

/** A name of a release, of a source's row or of a ROM. */
export interface NearName {
  readonly name: string;
  readonly isRom: boolean;
  readonly release: FittingRelease;
}

/** The records of the store, apart from the changes of its files. */
export interface StoreRecords {
  /** Records a download as a deferred write; never delays or fails the caller. */
  noteDownload(event: { userId: number | null; area: Area; name: string; bytes: number }): void;
  /** Returns the recorded SHA-256 by name, for files that are unchanged since they were stored. */
  findChecksums(area: Area, files: readonly StoredFile[]): Promise<ReadonlyMap<string, string>>;
  /** Returns up to 100 names of files that were stored with this size, in bytes. */
  listOfSize(area: Area, size: number): Promise<string[]>;
  /** Returns the names around a text, several on each side of it, by code point. */
  namesNear(text: string): Promise<NearName[]>;
}
