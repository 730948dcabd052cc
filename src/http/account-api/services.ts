import type { Accounts } from '../../core/accounts/accounts.ts';
import type { AuditRecords } from '../../core/audit/ports.ts';
import type { Targets } from '../../core/builds/targets.ts';
import type { Covers } from '../../core/covers/covers.ts';
import type { Devices } from '../../core/devices/devices.ts';
import type { Exports } from '../../core/exports/exports.ts';
import type { Profiles } from '../../core/exports/profiles/profiles.ts';
import type { Groups } from '../../core/groups/groups.ts';
import type { CatalogueFetcher } from '../../core/imports/catalogue/catalogue-fetcher.ts';
import type { Imports } from '../../core/imports/imports.ts';
import type { BackgroundJobs } from '../../core/jobs/background-jobs.ts';
import type { Jobs } from '../../core/jobs/jobs.ts';
import type { Schedules } from '../../core/jobs/schedules.ts';
import type { Library } from '../../core/library/library.ts';
import type { LibraryDownloads } from '../../core/library/library-downloads.ts';
import type { LibraryFiles } from '../../core/library/library-files.ts';
import type { OwnedReleases } from '../../core/library/owned-releases.ts';
import type { Platforms } from '../../core/platforms/platforms.ts';
import type { Releases } from '../../core/releases/releases.ts';
import type { Sets } from '../../core/sets/sets.ts';
import type { PartRevision } from '../../core/shared/requests/part-revision.ts';
import type { Dashboard } from '../../core/stats/dashboard.ts';
import type { Readiness } from '../../core/stats/readiness.ts';
import type { Stats } from '../../core/stats/stats.ts';
import type { DownloadRecords } from '../../core/store/downloads.ts';
import type { Store } from '../../core/store/store.ts';
import type { DeviceTrees } from '../../core/trees/device-trees.ts';
import type { Uploads } from '../../core/uploads/uploads.ts';
import type { CachedResponses } from '../shared/response-cache/cached-responses.ts';
import type { Departure } from '../shared/server/departure.ts';
import type { ArchiveSender } from './store/send-archive.ts';

/** The services and settings that the account API uses. */
export interface AccountApiParts {
  readonly accounts: Accounts;
  readonly releases: Releases;
  readonly groups: Groups;
  /** Changes whenever the content of release lists or details changes. */
  readonly catalogueRevision: PartRevision;
  readonly devices: Devices;
  readonly deviceTrees: DeviceTrees;
  readonly covers: Covers;
  readonly profiles: Profiles;
  readonly exports: Exports;
  readonly targets: Pick<Targets, 'list' | 'hostOf'>;
  readonly store: Store;
  readonly uploads: Uploads;
  readonly library: Pick<Library, 'ofRelease'>;
  readonly libraryFiles: LibraryFiles;
  readonly libraryDownloads: LibraryDownloads;
  readonly ownedReleases: OwnedReleases;
  readonly platforms: Platforms;
  readonly sets: Sets;
  readonly imports: Imports;
  readonly catalogueFetcher: Pick<CatalogueFetcher, 'hasSource'>;
  readonly jobs: Jobs;
  readonly backgroundJobs: BackgroundJobs;
  readonly schedules: Schedules;
  readonly stats: Stats;
  readonly dashboard: Dashboard;
  readonly downloads: DownloadRecords;
  readonly audit: AuditRecords;
  /** Throws if the service cannot do its work. Health checks call this. */
  readonly checkHealth: () => Promise<void>;
  readonly readiness: Pick<Readiness, 'findNotReady'>;
  /** True if requests need credentials even for content that is otherwise public. */
  readonly requireSignIn: boolean;
  /** Origins of other sites. Their pages may call this API. */
  readonly corsOrigins: readonly string[];
  /** Path prefix of all URLs, such as `/catalog`; "" for the root. */
  readonly basePath: string;
  /** The server that sends the bytes of archives. */
  readonly archiveSender: ArchiveSender;
  /** The program's version, for the OpenAPI document. */
  readonly version: string;
}

/** The services that the endpoints' handlers use. */
export interface RouteParts extends AccountApiParts {
  /** Cache of responses that depend only on the catalogue. */
  readonly responseCache: CachedResponses;
  /** Refuses health checks once the stop of the server is announced. */
  readonly departure: Departure;
  /**
   * Build stamp of the page, or the program's version if the page was not built. Changes with every
   * upgrade.
   */
  readonly buildVersion: string;
}
