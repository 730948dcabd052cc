import type { Accounts } from '../core/accounts/accounts.ts';
import type { OldRecordSweeper } from '../core/audit/old-record-sweeper.ts';
import type { AuditRecords } from '../core/audit/ports.ts';
import type { Backups } from '../core/backups/backups.ts';
import type { CopyReport, CopyWatch } from '../core/backups/copies/copy-report.ts';
import type { ScheduledBackups } from '../core/backups/scheduled-backups.ts';
import type { Builds } from '../core/builds/builds.ts';
import type { Targets } from '../core/builds/targets.ts';
import type { BulkCoverFetcher } from '../core/covers/bulk-cover-fetcher.ts';
import type { CoverBundler } from '../core/covers/cover-bundler.ts';
import type { CoverExtractor } from '../core/covers/cover-extractor.ts';
import type { CoverSearch } from '../core/covers/cover-search.ts';
import type { Covers } from '../core/covers/covers.ts';
import type { Devices } from '../core/devices/devices.ts';
import type { Exports } from '../core/exports/exports.ts';
import type { Profiles } from '../core/exports/profiles/profiles.ts';
import type { Groups } from '../core/groups/groups.ts';
import type { CatalogueFetcher } from '../core/imports/catalogue/catalogue-fetcher.ts';
import type { Imports } from '../core/imports/imports.ts';
import type { BackgroundJobs } from '../core/jobs/background-jobs.ts';
import type { Jobs } from '../core/jobs/jobs.ts';
import type { Schedules } from '../core/jobs/schedules.ts';
import type { Library } from '../core/library/library.ts';
import type { LibraryDownloads } from '../core/library/library-downloads.ts';
import type { LibraryRoot } from '../core/library/library-file.ts';
import type { LibraryFiles } from '../core/library/library-files.ts';
import type { OwnedReleases } from '../core/library/owned-releases.ts';
import type { AutomaticScans } from '../core/library/scan/automatic-scans.ts';
import type { LibraryScanner } from '../core/library/scan/scanner.ts';
import type { Platforms } from '../core/platforms/platforms.ts';
import type { Releases } from '../core/releases/releases.ts';
import type { Sets } from '../core/sets/sets.ts';
import type { PartRevision } from '../core/shared/requests/part-revision.ts';
import type { Dashboard } from '../core/stats/dashboard.ts';
import type { Readiness } from '../core/stats/readiness.ts';
import type { Stats } from '../core/stats/stats.ts';
import type { Adopter } from '../core/store/adopter.ts';
import type { DownloadRecords } from '../core/store/downloads.ts';
import type { Recoverer } from '../core/store/recoverer.ts';
import type { Store } from '../core/store/store.ts';
import type { DeviceTrees } from '../core/trees/device-trees.ts';
import type { Uploads } from '../core/uploads/uploads.ts';
import type { Verifier } from '../core/verify/verifier.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import type { Cost as HashCost } from '../passwords/argon2.ts';

/** A log that receives failures of background work. */
export interface WarningLog {
  warn(fields: object, message: string): void;
}

/** The assembled application for one data folder: all services, plus `close()`. */
export interface Catalog {
  readonly accounts: Accounts;
  readonly releases: Releases;
  readonly groups: Groups;
  /** Changes whenever the content of release lists or details changes. */
  readonly catalogueRevision: PartRevision;
  readonly platforms: Platforms;
  readonly sets: Sets;
  readonly devices: Devices;
  readonly covers: Covers;
  /** The kinds of devices for which exports can be made. */
  readonly profiles: Profiles;
  readonly exports: Exports;
  readonly builds: Builds;
  /** The folders that jobs build trees in. */
  readonly targets: Targets;
  readonly deviceTrees: DeviceTrees;
  readonly coverSearch: CoverSearch;
  readonly bulkCoverFetcher: BulkCoverFetcher;
  readonly coverExtractor: CoverExtractor;
  readonly coverBundler: CoverBundler;
  readonly store: Store;
  /**
   * Moves manually added files into the store. Null if the store is in the data folder: an archive
   * added there is already stored.
   */
  readonly adopter: Adopter | null;
  /**
   * Recovers archives that are in the bucket but not in the database. Null if the store is in the
   * data folder.
   */
  readonly recoverer: Recoverer | null;
  readonly uploads: Uploads;
  readonly stats: Stats;
  readonly dashboard: Dashboard;
  readonly downloads: DownloadRecords;
  readonly audit: AuditRecords;
  readonly oldRecords: OldRecordSweeper;
  readonly imports: Imports;
  readonly catalogueFetcher: CatalogueFetcher;
  readonly jobs: Jobs;
  readonly backgroundJobs: BackgroundJobs;
  readonly schedules: Schedules;
  readonly automaticScans: AutomaticScans;
  readonly scanner: LibraryScanner;
  readonly library: Library;
  readonly libraryFiles: LibraryFiles;
  readonly libraryDownloads: LibraryDownloads;
  readonly ownedReleases: OwnedReleases;
  /** The library roots of this server, with absolute paths. */
  readonly libraryRoots: readonly LibraryRoot[];
  /** Throws if the database cannot be read. */
  checkHealth(): Promise<void>;
  readonly readiness: Readiness;
  /**
   * Reserves disk space, so that logins and removals still work when the disk is full. Reserves
   * nothing if too little space is free. Never rejects.
   */
  reserveDiskSpace(): Promise<void>;
  /** Returns the number of waiting operations in each queue, by the name of the queue. */
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

/** Options with which a program opens the catalogue. */
export interface OpenOptions {
  /**
   * If true, opening throws refused() when the data folder has no catalogue. If false, a new
   * catalogue is created in the folder, even if the folder's path was mistyped.
   */
  readonly mustExist?: boolean;
  /**
   * If true, opening throws refused() when the database has an older version. If false, the
   * database is upgraded, and programs of the older version cannot use it any more.
   */
  readonly mustBeCurrent?: boolean;
  /** Number of database connections for reading. A command needs only one connection. */
  readonly readers?: number;
  /** Cost of new password hashes. The default is the OWASP recommendation. */
  readonly hashCost?: HashCost;
  /** Program file that runs jobs. The default is the main file of this program. */
  readonly jobProgram?: string;
}
