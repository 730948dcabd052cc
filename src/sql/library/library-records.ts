import type { LibraryRecords, LibraryRefreshes } from '../../core/library/ports.ts';
import { oneHost, type RootHosts } from '../../core/library/root-hosts.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { Engine } from '../engine/engine.ts';
import { incrementPartRevision, type PartRevisions } from '../engine/part-revisions.ts';
import { SqlCatalogueEvidence } from './evidence.ts';
import { SqlFileRecords } from './file-records.ts';
import { SqlKnownFiles } from './known-files.ts';
import { SqlLibraryList } from './list.ts';
import { SqlRootHosts } from './root-hosts.ts';
import { SqlScanStore } from './scan-store.ts';
import { SqlScannedFiles } from './scanned-files.ts';

/**
 * Returns the part revision of the library list, with a function `recordRefresh` that records a
 * refresh of the list.
 */
export function libraryRefreshes(engine: Engine, revisions: PartRevisions): LibraryRefreshes {
  return {
    ...revisions.of('library'),
    recordRefresh: () => engine.write((trx) => incrementPartRevision(trx, 'library')),
  };
}

/**
 * Returns the records of the host that owns each library root. `host` is this host's name, or "" if
 * no other host uses the database.
 */
export function sqlRootHosts(parts: { engine: Engine; host: string }): RootHosts {
  return parts.host === '' ? oneHost : new SqlRootHosts(parts);
}

/** Returns the records of the library, stored in SQL. */
export function sqlLibraryRecords(parts: { engine: Engine; clock: Clock }): LibraryRecords {
  const { read } = parts.engine;
  return {
    known: new SqlKnownFiles(read),
    scanned: new SqlScannedFiles(read),
    store: new SqlScanStore(parts),
    catalogue: new SqlCatalogueEvidence(read),
    list: new SqlLibraryList(read),
    files: new SqlFileRecords(parts),
  };
}
