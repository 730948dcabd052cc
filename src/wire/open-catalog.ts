import type { Config } from '../settings/config.ts';
import { openBase, type Start } from './base.ts';
import type { Catalog, OpenOptions, WarningLog } from './catalog.ts';
import { openAccounts } from './features/accounts.ts';
import { openAudit } from './features/audit.ts';
import { openBackups } from './features/backups.ts';
import { openBuilds } from './features/builds.ts';
import { openCovers } from './features/covers.ts';
import { openDevices } from './features/devices.ts';
import { openExports } from './features/exports.ts';
import { openHealth } from './features/health.ts';
import { openJobs } from './features/jobs.ts';
import { openLibrary } from './features/library.ts';
import { openReleases } from './features/releases.ts';
import { openStats } from './features/stats.ts';
import { openStore } from './features/store.ts';
import { openTrees } from './features/trees.ts';
import { openUploads } from './features/uploads.ts';
import { openVerifier } from './features/verify.ts';
import { openWithRollback, toStartError } from './resource-stack.ts';
import { openStorage } from './storage.ts';

/**
 * Opens the data folder, creates or upgrades the database, and assembles the services. If a service
 * cannot be opened, closes the services that were opened before and throws.
 */
export async function openCatalog(
  config: Config,
  log: WarningLog,
  options: OpenOptions = {},
): Promise<Catalog> {
  return openWithRollback((parts) => openServices({ config, log, options, parts })).catch(
    (error) => {
      throw toStartError(error);
    },
  );
}

/**
 * Opens all services. The order matters, because services are closed in reverse order. Each service
 * can therefore use the services above it until it is closed. For example, jobs end before uploads,
 * files and the database close.
 */
async function openServices(start: Start): Promise<Omit<Catalog, 'close'>> {
  const base = await openBase(start);
  const storage = await openStorage(base);
  const { recordedImages, forBuilds, ...library } = await openLibrary(base);
  const store = openStore(base, storage);
  const uploads = openUploads(base, storage, store);
  const covers = openCovers(base, storage);
  const exports = await openExports(base, covers);
  const builds = openBuilds(base, forBuilds, library);
  const jobs = openJobs(base, { ...library, ...builds });
  const backups = openBackups(base, storage, jobs);
  const audit = openAudit(base);
  const { passwords, throttle, ...accounts } = openAccounts(base);
  const releases = openReleases(base, storage, covers);
  return {
    files: storage.files,
    ...library,
    ...store,
    ...uploads,
    ...covers,
    ...exports,
    ...builds,
    ...jobs,
    ...backups,
    ...audit,
    ...accounts,
    ...releases,
    ...openTrees(base, { ...library, ...exports, ...releases }),
    ...openDevices(base, throttle, { ...exports, ...releases }),
    ...openStats(base, storage),
    ...openVerifier(base, storage, recordedImages),
    ...openHealth(base, storage, passwords),
  };
}
