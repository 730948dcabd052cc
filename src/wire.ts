import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Accounts } from './core/accounts/accounts.ts';
import { LoginThrottle } from './core/accounts/login-throttle.ts';
import { OldRecords } from './core/audit/old-records.ts';
import type { AuditRecords } from './core/audit/ports.ts';
import { Backups } from './core/backups/backups.ts';
import { Copies } from './core/backups/copies/copies.ts';
import type { CopyReport, CopyWatch } from './core/backups/copies/copy-report.ts';
import { ScheduledBackups } from './core/backups/scheduled-backups.ts';
import { CoverBundler } from './core/covers/cover-bundler.ts';
import { CoverExtractor } from './core/covers/cover-extractor.ts';
import { CoverFetcher } from './core/covers/cover-fetcher.ts';
import { CoverFinder } from './core/covers/cover-finder.ts';
import { CoverTags } from './core/covers/cover-tags.ts';
import { CoveredReleases } from './core/covers/covered-releases.ts';
import { Covers } from './core/covers/covers.ts';
import { Thumbnails } from './core/covers/thumbnails.ts';
import { Imports } from './core/imports/imports.ts';
import { BackgroundJobs } from './core/jobs/background-jobs.ts';
import { jobKinds } from './core/jobs/job-kinds.ts';
import { Jobs } from './core/jobs/jobs.ts';
import { Schedules } from './core/jobs/schedules.ts';
import { Library } from './core/library/library.ts';
import type { LibraryRoot } from './core/library/library-file.ts';
import { LibraryFiles } from './core/library/library-files.ts';
import { RecordedImages } from './core/library/recorded-images.ts';
import { LibraryScanner } from './core/library/scan/scanner.ts';
import { Platforms } from './core/platforms/platforms.ts';
import { Releases } from './core/releases/releases.ts';
import { systemClock } from './core/shared/clock.ts';
import { refused } from './core/shared/errors.ts';
import type { FileChange } from './core/shared/files/file-change.ts';
import { FileChanges } from './core/shared/files/file-changes.ts';
import { Leases } from './core/shared/processes/leases.ts';
import type { OwnerState } from './core/shared/processes/owner-state.ts';
import { Presence } from './core/shared/processes/presence.ts';
import type { PartRevision } from './core/shared/requests/part-revision.ts';
import { Dashboard } from './core/stats/dashboard.ts';
import { Readiness } from './core/stats/readiness.ts';
import { Stats } from './core/stats/stats.ts';
import { Adopter } from './core/store/adopter.ts';
import type { DownloadRecords } from './core/store/downloads.ts';
import { Store } from './core/store/store.ts';
import { Uploads } from './core/uploads/uploads.ts';
import { Verifier } from './core/verify/verifier.ts';
import { findDats } from './dats/files/find-dats.ts';
import { readDat } from './dats/read-dat.ts';
import { readDiscArt } from './disk/disc-art.ts';
import { localDisk } from './disk/local-disk.ts';
import { localBackups } from './files/backups/backup-files.ts';
import { localBackupFolder } from './files/backups/backup-folder.ts';
import { refuseUnfinishedRestore } from './files/backups/restore.ts';
import { refuseUnfinishedCopy } from './files/copies/copy-folder.ts';
import { ensureDataFolder } from './files/data-folder.ts';
import { freeBytes } from './files/free-bytes.ts';
import { hostOf } from './files/host.ts';
import { localArea, ownTmp } from './files/local/local-area.ts';
import { isAbandoned, ownerMark, processOf } from './files/process-mark.ts';
import type { StoredFiles } from './files/stored-files.ts';
import { sweepTmp } from './files/sweep-tmp.ts';
import { HashThread } from './files/uploads/hash-thread.ts';
import { writeZip } from './files/write-zip.ts';
import { shrinkImage } from './images/shrink-image.ts';
import { argon2Passwords, type Cost as HashCost } from './passwords/argon2.ts';
import { ChildProcesses } from './processes/child-processes.ts';
import { HttpCoverSource } from './remote/cover-source.ts';
import { type Config, environmentFor } from './settings/config.ts';
import { SqlAccountRecords } from './sql/accounts/account-records.ts';
import { SqlLoginTries } from './sql/accounts/login-tries.ts';
import { SqlAuditRecords } from './sql/audit/audit-list.ts';
import { SqlOldRecordRemovals } from './sql/audit/old-records.ts';
import { SqlDatabaseCopies } from './sql/copies/native-backup.ts';
import { PortableCopies } from './sql/copies/row-backup.ts';
import { SqlCopiedDatabase } from './sql/copies/row-source.ts';
import { coverReservations, SqlCoverRecords } from './sql/covers/cover-records.ts';
import { SqlCoverSearchRecords } from './sql/covers/cover-search.ts';
import { NotedWrites } from './sql/engine/deferred-writes.ts';
import { openDatabase, openPostgres } from './sql/engine/open.ts';
import { PartRevisions } from './sql/engine/part-revisions.ts';
import { SqlImportRecords } from './sql/imports/import-records.ts';
import { SqlJobRecords } from './sql/jobs/job-records.ts';
import { SqlLeaseRecords } from './sql/jobs/lease-records.ts';
import { SqlScheduleRecords } from './sql/jobs/schedule-records.ts';
import {
  libraryRefreshes,
  sqlLibraryRecords,
  sqlRootHosts,
} from './sql/library/library-records.ts';
import { SqlPlatformRecords } from './sql/platforms/platform-records.ts';
import { SqlReleaseRecords } from './sql/releases/release-records.ts';
import { SqlStatsRecords } from './sql/stats/stats-records.ts';
import { SqlDownloadRecords } from './sql/store/download-records.ts';
import { archiveReservations, SqlStoreRecords } from './sql/store/store-records.ts';
import { SqlUploadRecords } from './sql/uploads/upload-records.ts';
import { SqlVerifyRecords } from './sql/verify/verification-records.ts';
import { openCopyPlace } from './wire/copy-place.ts';
import { OpenedParts, startFailure } from './wire/opened.ts';
import { openFiles } from './wire/stored-files.ts';

/** The part of a log that receives failures of background work. */
export interface WarningLog {
  warn(fields: object, message: string): void;
}

/** Maximum time for running jobs to finish when the server closes, in milliseconds. */
const endJobsMs = 10_000;

/** The assembled application for one data folder: all services, plus `close()`. */
export interface Catalog {
  readonly accounts: Accounts;
  readonly releases: Releases;
  /** Changes whenever the content of release lists or details changes. */
  readonly catalogueRevision: PartRevision;
  readonly platforms: Platforms;
  readonly covers: Covers;
  readonly coverFinder: CoverFinder;
  readonly coverFetcher: CoverFetcher;
  readonly coverExtractor: CoverExtractor;
  readonly coverBundler: CoverBundler;
  readonly store: Store;
  /**
   * Moves manually added files into the store. Null if the store is in the data folder: an archive
   * added there is already stored.
   */
  readonly adopter: Adopter | null;
  readonly uploads: Uploads;
  readonly stats: Stats;
  readonly dashboard: Dashboard;
  readonly downloads: DownloadRecords;
  readonly audit: AuditRecords;
  readonly oldRecords: OldRecords;
  readonly imports: Imports;
  readonly jobs: Jobs;
  readonly backgroundJobs: BackgroundJobs;
  readonly schedules: Schedules;
  readonly scanner: LibraryScanner;
  readonly library: Library;
  readonly libraryFiles: LibraryFiles;
  /** The library roots of this server, with absolute paths. */
  readonly libraryRoots: readonly LibraryRoot[];
  /** Throws if the database cannot be read. */
  checkHealth(): Promise<void>;
  readonly readiness: Readiness;
  /**
   * Reserves disk space, if there is enough, so that logins and removals still work when the disk
   * is full. Never rejects.
   */
  keepRoom(): Promise<void>;
  /** Returns the number of waiting operations in each queue, by name. */
  queues(): Readonly<Record<string, number>>;
  /** Returns the number of bytes that can still be written to the data folder's disk. */
  freeBytes(): Promise<number>;
  /** Storage for archives and covers. `startSweeping` starts removing orphans. */
  readonly files: Pick<StoredFiles, 'startSweeping'>;
  readonly backups: Backups;
  /** Null if no folder for backups is configured. */
  readonly scheduledBackups: ScheduledBackups | null;
  readonly verifier: Verifier;
  /** Copies the whole catalogue to the configured targets; see `Copies`. */
  copy(watch: CopyWatch): Promise<CopyReport>;
  /** Flushes deferred writes and closes all services, including the database. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /**
   * True to throw refused() if the data folder has no catalogue. Otherwise a catalogue is created
   * in the folder, even if its path was mistyped.
   */
  readonly mustExist?: boolean;
  /** Number of database connections for reading. A command needs only one connection. */
  readonly readers?: number;
  /** Cost of new password hashes. The default is the OWASP recommendation. */
  readonly hashCost?: HashCost;
  /** Program file that runs jobs. The default is the main file of this program. */
  readonly jobProgram?: string;
}

/**
 * Opens the data folder, creates or migrates what is missing, and assembles the services. If a
 * service cannot be opened, closes the services that were opened before and throws.
 */
export async function openCatalog(
  config: Config,
  log: WarningLog,
  options: OpenOptions = {},
): Promise<Catalog> {
  const parts = new OpenedParts();
  try {
    return await openParts(config, log, options, parts);
  } catch (error) {
    await parts.close().catch(() => undefined);
    throw startFailure(error);
  }
}

async function openParts(
  config: Config,
  log: WarningLog,
  options: OpenOptions,
  parts: OpenedParts,
): Promise<Catalog> {
  const clock = systemClock;
  await refuseUnfinishedRestore(config.data);
  const holds = { holdsDatabase: config.database === '', holdsFiles: config.files === '' };
  await refuseUnfinishedCopy(config.data, holds);
  const file = join(config.data, 'catalog.db');
  const { database } = config;
  if (database === '' && options.mustExist && !existsSync(file)) {
    throw refused(
      `there is no catalogue in ${config.data}: check --data ("catalog serve" and "catalog import" create one)`,
    );
  }
  const warning = await ensureDataFolder(config.data);
  if (warning !== null) log.warn({}, warning);
  const tmp = join(config.data, 'tmp');
  const thumbnailFolder = join(config.data, 'thumbnails');
  await sweepTmp(tmp);
  await sweepTmp(ownTmp(thumbnailFolder));

  const { mustExist = false, readers } = options;
  // Only one host uses a database file in the data folder, so the host needs no name.
  const host = database === '' ? '' : await hostOf(config.data);
  const engine = parts.opened(
    database === ''
      ? await openDatabase(file, { ...(readers !== undefined && { readers }) })
      : await openPostgres(database, {
          mustExist,
          onStarting: () => log.warn({}, 'the database server is starting: waiting for it'),
        }),
    close,
  );

  const revisions = new PartRevisions(engine);
  const owner = ownerMark();
  const leaseRecords = new SqlLeaseRecords({
    engine,
    // With a database server, the holder's process may run on another machine. Then only the age of
    // its lease shows that the process is dead.
    isDead: (holder) => database === '' && isAbandoned(holder, Date.now()),
  });
  const presence =
    database === '' ? null : new Presence({ records: leaseRecords, process: processOf(owner) });
  parts.opened(presence, (it) => it?.end());
  await presence?.begin();
  const onLoss = (count: number, error: unknown) =>
    log.warn({ err: error, count }, 'lost records of token uses, downloads or failed logins');
  const notes = parts.opened(new NotedWrites(engine, onLoss), close);
  const ownership = {
    clock,
    owner,
    async ownerState(of: string): Promise<OwnerState> {
      if (presence !== null) return presence.stateOf(processOf(of));
      return isAbandoned(of, Date.now()) ? 'ended' : 'unknown';
    },
  };
  const toldOfChanges = {
    onSettled({ target }: FileChange, made: boolean) {
      log.warn({ target, made }, 'recovered an interrupted file change');
    },
    onFailure(error: unknown) {
      log.warn({ err: error }, 'could not finish a file change: trying again later');
    },
  };
  const leases = new Leases({
    records: leaseRecords,
    newHolder: ownerMark,
    clock,
  });
  const files = await openFiles(config, {
    engine,
    leases,
    tmp,
    onFailure: (error) =>
      log.warn({ err: error }, 'could not remove orphans from the object store'),
  });
  parts.opened(files, close);
  const { areas, covers: coverArea } = files;
  const archiveChanges = new FileChanges({
    ...ownership,
    records: archiveReservations({ engine, clock }),
    areaOf: (change) => areas[change.area],
    ...toldOfChanges,
  });
  const coverChanges = new FileChanges({
    ...ownership,
    records: coverReservations({ engine, clock }),
    areaOf: () => coverArea,
    ...toldOfChanges,
  });
  archiveChanges.keepSweeping();
  coverChanges.keepSweeping();
  for (const changes of [archiveChanges, coverChanges]) parts.opened(changes, close);
  const disk = parts.opened(localDisk(tmp), close);
  const libraryRecords = sqlLibraryRecords({ engine, clock });
  const hosts = sqlRootHosts({ engine, host });
  const scanner = new LibraryScanner({ disk, records: libraryRecords, hosts });
  const libraryRoots = await rootsOf(config);
  const toldOfHosts = new Set<string>();
  const library = new Library({
    list: libraryRecords.list,
    scanned: libraryRecords.scanned,
    scanner,
    roots: libraryRoots,
    hosts,
    host,
    leases,
    refreshes: libraryRefreshes(engine, revisions),
    clock,
    onReport: ({ problems, unreadable, damaged }) => {
      for (const problem of problems) {
        // A root owned by another host is skipped on every scan, so warn about it only once.
        if (problem.host !== undefined && toldOfHosts.has(problem.root)) continue;
        if (problem.host !== undefined) toldOfHosts.add(problem.root);
        log.warn(problem, 'skipped a library root: the records of its files are kept');
      }
      for (const file of unreadable) log.warn(file, 'cannot read a library file');
      for (const file of damaged) log.warn(file, 'a library file is damaged');
    },
  });
  parts.opened(library, close);
  const store = new Store({
    areas,
    records: new SqlStoreRecords({ engine, notes, clock }),
    changes: archiveChanges,
    maxArchiveBytes: config.maxArchiveBytes,
    clock,
    revision: revisions.of('archives'),
  });
  const hashes = parts.opened(new HashThread(), close);
  const uploads = new Uploads({
    ...ownership,
    leases,
    hashes,
    records: new SqlUploadRecords({ engine, clock }),
    files: files.uploads,
    archives: store,
    maxArchiveBytes: config.maxArchiveBytes,
    days: config.uploadDays,
    onFailure: (error) => log.warn({ err: error }, 'could not check or remove an upload'),
  });
  parts.opened(uploads, close);
  const coverSearch = new SqlCoverSearchRecords({ engine });
  const coverTags = new CoverTags({ area: coverArea, clock, revision: revisions.of('covers') });
  const thumbnails = new Thumbnails({
    covers: coverArea,
    area: localArea({ folder: thumbnailFolder, tmp }),
    shrink: shrinkImage,
    clock,
  });
  for (const pictures of [coverTags, thumbnails]) parts.opened(pictures, close);
  const covers = new Covers({
    area: coverArea,
    records: new SqlCoverRecords({ engine }),
    changes: coverChanges,
    tags: coverTags,
    thumbnails,
  });
  const { coverSource: base } = config;
  const coverSource = base === '' ? null : parts.opened(new HttpCoverSource({ base }), close);
  const coverParts = { covers, records: coverSearch };
  const coverFinder = new CoverFinder({
    ...coverParts,
    source: coverSource,
    leases,
    clock,
    onFailure({ releaseId: release, source, reason }) {
      log.warn({ release, source, reason }, 'could not get a cover from the cover source');
    },
  });
  parts.opened(coverFinder, close);
  const jobs = new Jobs({ ...ownership, records: new SqlJobRecords({ engine, clock }) });
  const backgroundJobs = new BackgroundJobs({
    jobs,
    processes: new ChildProcesses({
      program: options.jobProgram,
      args: jobArguments(config, libraryRoots),
      env: environmentFor(config),
      onSaid: (job, said) => log.warn({ job, said }, 'a job failed'),
    }),
    onFailure: (error) => log.warn({ err: error }, 'could not record the end of a job'),
  });
  parts.opened(backgroundJobs, () => backgroundJobs.close(endJobsMs));
  const schedules = new Schedules({
    records: new SqlScheduleRecords({ engine, clock }),
    jobs: backgroundJobs,
    clock,
    isForOthers: async (kind) => jobKinds[kind].needsRoots && (await library.isOnOthers()),
    onFailure: (kind, error) => log.warn({ err: error, kind }, 'could not start a scheduled job'),
  });
  parts.opened(schedules, close);
  const backups = new Backups({
    copies: database === '' ? new SqlDatabaseCopies({ engine }) : new PortableCopies({ engine }),
    areas: { ...areas, covers: coverArea },
    files: localBackups,
    clock,
  });
  const scheduledBackups =
    config.backupTo === ''
      ? null
      : new ScheduledBackups({
          backups,
          folder: localBackupFolder(config.backupTo, config.data),
          everyMs: config.backupEvery,
          keep: config.backupKeep,
          clock,
          start: () =>
            backgroundJobs.start({ kind: 'backup', options: {}, actor: { kind: 'system' } }),
          onFailure: (error) => log.warn({ err: error }, 'could not start a scheduled backup'),
        });
  parts.opened(scheduledBackups, (it) => it?.close());
  const oldRecords = new OldRecords({
    removals: new SqlOldRecordRemovals({ engine }),
    keptFor: { audit: config.keepAudit, downloads: config.keepDownloads },
    leases,
    clock,
    onFailure: (error) =>
      log.warn({ err: error }, 'could not remove old audit entries or download records'),
  });
  parts.opened(oldRecords, close);
  const passwords = argon2Passwords(options.hashCost);
  const statsRecords = new SqlStatsRecords({ engine, notes });
  const releases = new Releases(new SqlReleaseRecords({ engine, clock }));
  return {
    accounts: new Accounts({
      records: new SqlAccountRecords({
        engine,
        notes,
        clock,
        revision: revisions.of('accounts'),
      }),
      passwords,
      throttle: new LoginThrottle(
        { failures: config.loginFailures, windowMs: config.loginWindowMinutes * 60_000 },
        new SqlLoginTries({ engine, notes }),
      ),
      clock,
      tokenDays: config.tokenDays,
    }),
    releases,
    catalogueRevision: revisions.of('catalogue'),
    platforms: new Platforms({
      records: new SqlPlatformRecords({ engine }),
      releases,
      covers: new CoveredReleases({ area: coverArea, clock }),
      clock,
    }),
    covers,
    coverFinder,
    coverFetcher: new CoverFetcher({ ...coverParts, finder: coverFinder }),
    coverExtractor: new CoverExtractor({ ...coverParts, readDiscArt }),
    coverBundler: new CoverBundler({ ...coverParts, area: coverArea, writeZip }),
    store,
    adopter: files.laid && new Adopter({ laid: files.laid, store }),
    uploads,
    stats: new Stats({ records: statsRecords, covers: coverArea }),
    dashboard: new Dashboard({
      downloads: statsRecords,
      areas,
      covers: coverArea,
      freeBytes: () => freeBytes(config.data),
      clock,
    }),
    downloads: new SqlDownloadRecords({ engine, notes }),
    audit: new SqlAuditRecords({ engine, notes }),
    oldRecords,
    imports: new Imports({
      records: new SqlImportRecords({ engine, clock }),
      readDat,
      findDats,
      releasesWithCover: () => covers.releasesWithCover(),
    }),
    jobs,
    backgroundJobs,
    schedules,
    scanner,
    library,
    libraryFiles: new LibraryFiles({ records: libraryRecords, roots: libraryRoots }),
    libraryRoots,
    checkHealth: () => engine.checkHealth(),
    readiness: new Readiness({
      checkDatabase: () => engine.checkWrites(),
      areas: files.probes,
      clock,
    }),
    keepRoom: () => engine.keepRoom().catch(() => undefined),
    queues() {
      const { read, readAtLength } = engine.waiting();
      return { password: passwords.waiting(), read, long_read: readAtLength };
    },
    freeBytes: () => freeBytes(config.data),
    files,
    verifier: new Verifier({
      records: new SqlVerifyRecords({ engine, clock }),
      areas: { ...areas, covers: coverArea },
      library: new RecordedImages({ disk, scanned: libraryRecords.scanned, hosts }),
      clock,
    }),
    backups,
    scheduledBackups,
    async copy(watch) {
      const copies = new Copies({
        areas: { ...areas, covers: coverArea },
        database: new SqlCopiedDatabase({ engine }),
      });
      const place = await openCopyPlace(config, tmp);
      try {
        return await copies.copy(place, watch);
      } catch (error) {
        await place.abandon();
        throw error;
      } finally {
        await place.close();
      }
    },
    close: () => parts.close(),
  };
}

const close = (part: { close(): unknown }) => part.close();

/** Returns the options with which `catalog job` opens the same catalogue. */
function jobArguments(config: Config, roots: readonly LibraryRoot[]): string[] {
  const { data, files, coverSource, backupTo, backupKeep } = config;
  const named = roots.flatMap(({ path, system }) => [`--${system}-root`, path]);
  const backup = backupTo === '' ? [] : ['--backup-to', backupTo, '--backup-keep', `${backupKeep}`];
  return ['--data', data, `--files=${files}`, `--cover-source=${coverSource}`, ...backup, ...named];
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
