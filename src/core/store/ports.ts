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

/** What is recorded of the store beside the changes of its files. */
export interface StoreRecords {
  /** Notes a download, some time soon; never delays or fails the caller. */
  noteDownload(event: { userId: number | null; area: Area; name: string; bytes: number }): void;
  /** By name: the SHA-256 of those of these files that are as they were stored. */
  findChecksums(area: Area, files: readonly StoredFile[]): Promise<ReadonlyMap<string, string>>;
  /** The names of files that were stored with this size, in bytes; at most 100. */
  listOfSize(area: Area, size: number): Promise<string[]>;
  /** The names around a text, some on each side of it, by code point. */
  namesNear(text: string): Promise<NearName[]>;
}
