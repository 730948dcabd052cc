import type { FileChange } from '../shared/file-change.ts';
import type { Area } from './area.ts';

/** An archive that is uploaded or removed. */
export interface ArchiveChange extends FileChange {
  readonly area: Area;
}

/** What is recorded of the store beside the changes of its files. */
export interface StoreRecords {
  /** Notes a download, some time soon; never delays or fails the caller. */
  noteDownload(event: { userId: number | null; area: Area; name: string; bytes: number }): void;
}
