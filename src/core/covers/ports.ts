import type { Actor } from '../shared/actor.ts';
import type { StoredFile } from '../shared/file-area.ts';

export interface CoverRecords {
  /** Records a new cover and its actor in one transaction, publishing the bytes inside it. */
  recordCover(
    cover: { releaseId: number; name: string; size: number; sha256: string },
    actor: Actor,
    publish: () => Promise<StoredFile>,
  ): Promise<StoredFile>;
  /** Records the removal of a release's covers and carries it out inside the transaction. */
  recordCoverRemoval(
    releaseId: number,
    actor: Actor,
    remove: () => Promise<boolean>,
  ): Promise<boolean>;
}
