import type { Logger } from 'pino';
import { CatalogError, refused, usageError } from '../../core/shared/errors.ts';
import { fillDemo } from '../../demo/fill-demo.ts';
import { createAccountApi } from '../../http/account-api/app.ts';
import { createMinimalApi } from '../../http/minimal-api/app.ts';
import type { HttpApp } from '../../http/shared/server/server.ts';
import {
  collectYoungOnOneThread,
  keepHeapSmall,
  keepYoungHeapSmall,
} from '../../memory/small-heap.ts';
import { createLog } from '../../program/log.ts';
import type { Config } from '../../settings/config.ts';
import type { Catalog } from '../../wire/catalog.ts';
import { isOutputOpen, print, printLog, shareLog } from '../output/output.ts';
import { describeDemo } from './demo.ts';
import { listensOnAllInterfaces, runServer, type ServerVariant } from './run-server.ts';
import { singleProcessLifecycle } from './workers/server-lifecycle.ts';
import { ownWorker } from './workers/worker-env.ts';
import { workerLifecycle } from './workers/worker-lifecycle.ts';

/** Serves the account API or the minimal API until a signal stops the server. */
export async function serve(
  config: Config,
  { isMinimal, isDemo, version }: { isMinimal: boolean; isDemo: boolean; version: string },
): Promise<void> {
  const worker = ownWorker();
  const ownLog = createLog(config.logLevel, printLog);
  const log = worker === null ? ownLog : ownLog.child({ worker: process.pid });
  if (worker !== null) shareLog();
  const lifecycle = worker === null ? singleProcessLifecycle(config, log) : workerLifecycle(worker);
  const variant = isMinimal ? minimalApi(config, log) : accountApi(config, log, version);
  collectYoungOnOneThread();
  try {
    await runServer(config, log, isDemo ? { ...variant, begin: beginDemo } : variant, lifecycle);
  } finally {
    worker?.disconnect(); // the open channel would keep this process alive
  }
}

/** Returns the parts of the server that are specific to the account API. */
function accountApi(config: Config, log: Logger, version: string): ServerVariant {
  const { basePath, corsOrigins, requireSignIn, downloads: archiveSender } = config;
  checkDownloads(config);
  const own = { basePath, corsOrigins, requireSignIn, archiveSender, version };
  if (config.files !== '') keepYoungHeapSmall();
  return {
    runsJobs: true,
    createApp: (catalog, options) => createAccountApi({ ...catalog, ...own }, options),
    async begin(catalog, _app, { isFirst, adminPassword }) {
      if (isFirst) await ensureAdmin(catalog, await adminPassword(), log);
      await catalog.targets.begin();
      catalog.schedules.begin();
      catalog.automaticScans.begin();
      catalog.uploads.start();
    },
  };
}

/** Throws a usage error if the chosen sender of downloads cannot read the storage of the files. */
function checkDownloads({ downloads, files }: Config): void {
  if (downloads === 'redirect' && files === '') {
    throw usageError('--downloads: redirect needs files on S3 (--files)');
  }
  if (downloads === 'accel' && files !== '') {
    throw usageError(
      '--downloads: accel needs files in the data folder, use redirect with --files',
    );
  }
}

async function beginDemo(
  catalog: Catalog,
  _app: HttpApp,
  { isFirst }: { isFirst: boolean },
): Promise<void> {
  if (isFirst) await fillDemo(catalog);
  await catalog.targets.begin();
  catalog.uploads.start();
  if (isFirst) print(...describeDemo());
}

/**
 * Returns the parts of the server that are specific to the minimal API. The heap is kept small,
 * because many clients may request whole lists at once. In exchange, uncached responses need more
 * processor time.
 */
function minimalApi(config: Config, log: Logger): ServerVariant {
  const { apiToken } = config;
  keepHeapSmall();
  return {
    runsJobs: false,
    createApp: (catalog, options) => createMinimalApi({ ...catalog, apiToken }, options),
    begin(catalog, app, { isStopping, isFirst }) {
      if (isFirst && apiToken === '' && listensOnAllInterfaces(app)) log.warn({}, openStore);
      catalog.library.startFirstPass().catch((error: unknown) => {
        if (!isStopping()) log.error({ err: error }, 'the first scan of the library failed');
      });
    },
  };
}

const openStore =
  'CATALOG_API_TOKEN is not set: anyone who can reach this server may list and download the store';

/**
 * Creates an admin if there is no active admin, so that a user can log in. A generated password is
 * printed once and never logged.
 */
async function ensureAdmin(
  catalog: Catalog,
  given: string | undefined,
  log: Logger,
): Promise<void> {
  const made = await catalog.accounts.ensureAdmin(given).catch(explained);
  if (made === null) return;
  const password = made.generated ?? 'as set in CATALOG_ADMIN_PASSWORD';
  print(`Created the first account. Username: admin, password: ${password}`);
  if (made.generated !== null && !(await isOutputOpen())) log.warn({}, lostPassword);
}

const lostPassword =
  'could not print the generated password of admin: set another one with "catalog users passwd admin"';

function explained(error: unknown): never {
  if (!(error instanceof CatalogError) || error.kind !== 'conflict') throw error;
  throw refused(
    'there is no active admin, and the account "admin" exists but is not one: ' +
      'activate an admin (catalog users activate NAME) or add one (catalog users add NAME --role admin)',
  );
}
