import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Library } from '../../core/library/library.ts';
import { LibraryDownloads } from '../../core/library/library-downloads.ts';
import type { LibraryRoot } from '../../core/library/library-file.ts';
import { LibraryFiles } from '../../core/library/library-files.ts';
import type { Disk, ScannedFiles } from '../../core/library/ports.ts';
import { RecordedImages } from '../../core/library/recorded-images.ts';
import type { RootHosts } from '../../core/library/root-hosts.ts';
import { LibraryScanner } from '../../core/library/scan/scanner.ts';
import { localDisk, throwDiskFailure } from '../../disk/local-disk.ts';
import { openPath } from '../../files/local/open-file.ts';
import { OwnFiles } from '../../files/own-files.ts';
import type { Config } from '../../settings/config.ts';
import {
  libraryRefreshes,
  sqlLibraryRecords,
  sqlRootHosts,
} from '../../sql/library/library-records.ts';
import { SqlOwnedReleases } from '../../sql/library/owned-releases.ts';
import { sqlLibraryDownloads } from '../../sql/store/download-records.ts';
import { storedZip } from '../../zip/stored-zip.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog, WarningLog } from '../catalog.ts';
import { close } from '../resource-stack.ts';

type LibraryServices = Pick<
  Catalog,
  'scanner' | 'library' | 'libraryFiles' | 'libraryDownloads' | 'ownedReleases' | 'libraryRoots'
>;

/** The parts of the library that builds use. */
export interface LibraryForBuilds {
  readonly disk: Pick<Disk, 'find'>;
  readonly hosts: RootHosts;
  readonly scanned: Pick<ScannedFiles, 'roots'>;
}

/** Opens the library: its scanner, its list of files, and its roots. */
export async function openLibrary(
  base: BaseServices,
): Promise<LibraryServices & { recordedImages: RecordedImages; forBuilds: LibraryForBuilds }> {
  const { config, log, engine, revisions, clock, leases, host, parts, deferredWrites } = base;
  const disk = parts.track(localDisk(base.folders.tmp), close);
  const records = sqlLibraryRecords({ engine, clock });
  const { list, scanned } = records;
  // Never give out the database, even if it is hard-linked into a library folder.
  const own = new OwnFiles(config.data);
  const hosts = sqlRootHosts({ engine, host });
  const scanner = new LibraryScanner({ disk, records, hosts });
  const libraryRoots = await rootsOf(config);
  const library = parts.track(
    new Library({
      list,
      scanned,
      scanner,
      roots: libraryRoots,
      hosts,
      host,
      leases,
      refreshes: libraryRefreshes(engine, revisions),
      clock,
      onReport: scanWarnings(log),
    }),
    close,
  );
  return {
    scanner,
    library,
    libraryFiles: new LibraryFiles({ records, roots: libraryRoots }),
    ownedReleases: new SqlOwnedReleases({ engine }),
    libraryDownloads: new LibraryDownloads({
      isOn: config.libraryDownloads,
      files: records.files,
      scanned,
      records: sqlLibraryDownloads({ deferredWrites, clock }),
      roots: libraryRoots,
      hosts,
      disk,
      openPath: (path) => openPath(path, own).catch(throwDiskFailure),
      packFiles: storedZip,
    }),
    libraryRoots,
    recordedImages: new RecordedImages({ disk, scanned, hosts }),
    forBuilds: { disk, hosts, scanned },
  };
}

/**
 * Returns the library roots without duplicates. A folder that is configured for both games and
 * videos becomes a root for videos. The default folders in the data folder are created if they are
 * missing; other folders are not.
 */
async function rootsOf(config: Config): Promise<LibraryRoot[]> {
  const videos = new Set(config.videosRoots);
  const games = new Set(config.gamesRoots.filter((path) => !videos.has(path)));
  const roots: LibraryRoot[] = [
    ...[...games].map((path) => ({ path, system: 'games' as const })),
    ...[...videos].map((path) => ({ path, system: 'videos' as const })),
  ];
  for (const { path, system } of roots) {
    if (path === join(config.data, system)) await mkdir(path, { recursive: true });
  }
  return roots;
}

/** Returns a function that logs what a scan could not read. */
function scanWarnings(log: WarningLog): ConstructorParameters<typeof Library>[0]['onReport'] {
  const warnedRoots = new Set<string>();
  return ({ problems, unreadable, damaged }) => {
    for (const problem of problems) {
      // A root owned by another host is skipped on every scan, so warn about it only once.
      if (problem.host !== undefined && warnedRoots.has(problem.root)) continue;
      if (problem.host !== undefined) warnedRoots.add(problem.root);
      log.warn(problem, 'skipped a library root: the records of its files are kept');
    }
    for (const file of unreadable) log.warn(file, 'cannot read a library file');
    for (const file of damaged) log.warn(file, 'a library file is damaged');
  };
}
