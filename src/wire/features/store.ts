import { Adopter } from '../../core/store/adopter.ts';
import { Recoverer } from '../../core/store/recoverer.ts';
import { Store } from '../../core/store/store.ts';
import { SqlDownloadRecords } from '../../sql/store/download-records.ts';
import { SqlStoreRecords } from '../../sql/store/store-records.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import type { Storage } from '../storage.ts';

/** Assembles the store of archives, and the records of downloads from it. */
export function openStore(
  { config, engine, deferredWrites, clock, revisions }: BaseServices,
  { files, archiveChanges }: Storage,
): Pick<Catalog, 'store' | 'adopter' | 'recoverer' | 'downloads'> {
  const store = new Store({
    areas: files.areas,
    records: new SqlStoreRecords({ engine, deferredWrites, clock }),
    changes: archiveChanges,
    maxArchiveBytes: config.maxArchiveBytes,
    clock,
    revision: revisions.of('archives'),
  });
  return {
    store,
    adopter: files.manuallyAdded && new Adopter({ manualFiles: files.manuallyAdded, store }),
    recoverer: files.labelled && new Recoverer({ labelled: files.labelled, store }),
    downloads: new SqlDownloadRecords({ engine, deferredWrites }),
  };
}
