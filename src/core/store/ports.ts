import type { Actor } from '../shared/actor.ts';
import type { StoredFile } from '../shared/file-area.ts';
import type { Area } from './archive-name.ts';

/** What is recorded of files and downloads. */
export interface StoreRecords {
  /**
   * Records a new version of an archive and its actor in one transaction, publishing the bytes inside it: when the
   * database is busy, nothing has happened yet.
   */
  recordUpload(
    upload: { area: Area; name: string; size: number; sha256: string },
    actor: Actor,
    publish: () => Promise<StoredFile>,
  ): Promise<StoredFile>;
  /** Records a removal and carries it out inside the transaction; false when there was no such file. */
  recordRemoval(
    removal: { area: Area; name: string },
    actor: Actor,
    remove: () => Promise<boolean>,
  ): Promise<boolean>;
  /** Notes a download, some time soon; never delays or fails the caller. */
  noteDownload(event: { userId: number | null; area: Area; name: string; bytes: number }): void;
}
