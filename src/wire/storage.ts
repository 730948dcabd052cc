import type { CoverChange } from '../core/covers/ports.ts';
import type { FileArea } from '../core/shared/files/file-area.ts';
import type { FileChange } from '../core/shared/files/file-change.ts';
import { FileChanges } from '../core/shared/files/file-changes.ts';
import type { ArchiveChange } from '../core/store/ports.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import { coverReservations } from '../sql/covers/cover-records.ts';
import { archiveReservations } from '../sql/store/store-records.ts';
import type { BaseServices } from './base.ts';
import { close } from './resource-stack.ts';
import { openFiles } from './stored-files.ts';

/** The storage of archives and covers, with the changes to their files. */
export interface Storage {
  readonly files: StoredFiles;
  /** The areas of archives and the area of covers. */
  readonly allAreas: StoredFiles['areas'] & { readonly covers: FileArea };
  readonly archiveChanges: FileChanges<ArchiveChange>;
  readonly coverChanges: FileChanges<CoverChange>;
}

/** Opens the storage, and starts recovering interrupted file changes. */
export async function openStorage(base: BaseServices): Promise<Storage> {
  const { config, log, engine, clock, leases, ownership, parts } = base;
  const files = parts.track(
    await openFiles(config, {
      engine,
      leases,
      tmp: base.folders.tmp,
      onFailure: (error) =>
        log.warn({ err: error }, 'could not remove orphans from the object store'),
    }),
    close,
  );
  const { areas, covers } = files;
  const shared = {
    ...ownership,
    onRecovered({ target }: FileChange, made: boolean) {
      log.warn({ target, made }, 'recovered an interrupted file change');
    },
    onFailure(error: unknown) {
      log.warn({ err: error }, 'could not finish a file change: trying again later');
    },
  };
  const archiveChanges = parts.track(
    new FileChanges({
      ...shared,
      records: archiveReservations({ engine, clock }),
      areaOf: (change) => areas[change.area],
    }),
    close,
  );
  const coverChanges = parts.track(
    new FileChanges({
      ...shared,
      records: coverReservations({ engine, clock }),
      areaOf: () => covers,
    }),
    close,
  );
  archiveChanges.startSweeping();
  coverChanges.startSweeping();
  return { files, allAreas: { ...areas, covers }, archiveChanges, coverChanges };
}
