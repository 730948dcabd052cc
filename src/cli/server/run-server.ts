import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import { refused } from '../../core/shared/errors.ts';
import { Departure } from '../../http/shared/server/departure.ts';
import type { HttpApp, ServerOptions } from '../../http/shared/server/server.ts';
import { collectAtRest } from '../../memory/collect-at-rest.ts';
import type { Config } from '../../settings/config.ts';
import type { Catalog } from '../../wire/catalog.ts';
import { openCatalog } from '../../wire/open-catalog.ts';
import { close, ResourceStack } from '../../wire/resource-stack.ts';
import { StopSignal } from '../stop-signal.ts';
import { watchFilesAtStart } from './await-files.ts';
import { stopServing } from './stop-serving.ts';
import type { ServerLifecycle } from './workers/server-lifecycle.ts';

/** The parts of a server that differ between the account API and the minimal API. */
export interface ServerVariant {
  /**
   * True if the server has the settings of all kinds of jobs, and therefore resumes interrupted
   * jobs.
   */
  readonly runsJobs: boolean;
  createApp(catalog: Catalog, options: ServerOptions): HttpApp | Promise<HttpApp>;
  /** Runs after the server has started to listen and before the server responds to any request. */
  begin(
    catalog: Catalog,
    app: HttpApp,
    options: ServerOptions & Pick<ServerLifecycle, 'isFirst' | 'adminPassword'>,
  ): void | Promise<void>;
}

/**
 * Milliseconds between two attempts to reserve disk space. An attempt may fail because the database
 * is locked or the disk is full.
 */
const reserveIntervalMs = 60_000;

/** Opens the catalogue and serves an API until a signal stops the server. */
export async function runServer(
  config: Config,
  log: Logger,
  variant: ServerVariant,
  lifecycle: ServerLifecycle,
): Promise<void> {
  const parts = new ResourceStack();
  const stop = parts.track(new StopSignal(() => process.exit(0)), (it) => it.release());
  try {
    // Check the file storage before opening the database. If the check fails, no database has been
    // created, so a restore, which needs an empty one, is still possible.
    parts.track(await watchFilesAtStart(config, log), (end) => end());
    const catalog = parts.track(await openCatalog(config, log), close);
    await catalog.reserveDiskSpace();
    parts.track(
      setInterval(() => catalog.reserveDiskSpace(), reserveIntervalMs).unref(),
      clearInterval,
    );
    await catalog.scheduledBackups?.check();
    catalog.files.startSweeping();
    const ready = Promise.withResolvers<void>();
    const figures = parts.track(await lifecycle.openMetrics(config, catalog, log), (it) =>
      it?.close(),
    );
    const departure = new Departure();
    let refusesRequests = false;
    const options: ServerOptions = {
      log,
      accessLog: config.accessLog,
      ...(figures && { onRequestCompleted: figures.record }),
      basePath: config.basePath,
      publicUrls: config.publicUrls,
      trustedProxies: config.trustedProxies,
      isStopping: () => refusesRequests,
      departure,
      whenReady: ready.promise,
    };
    const app = await variant.createApp(catalog, options);
    await listen(app, config);
    await beginOrClose(app, () =>
      variant.begin(catalog, app, {
        ...options,
        isStopping: () => stop.received !== null,
        isFirst: lifecycle.isFirst,
        adminPassword: () => lifecycle.adminPassword(),
      }),
    );
    ready.resolve();
    // A server of the minimal API starts no jobs but scheduled backups, so it resumes jobs only if
    // it makes backups.
    if (variant.runsJobs || config.backupTo !== '') catalog.backgroundJobs.beginAttempts();
    catalog.scheduledBackups?.begin();
    catalog.oldRecords.begin();
    parts.track(collectAtRest(), (end) => end());
    lifecycle.serving({ address: app.server.address() as AddressInfo, urls: reachableUrls(app) });
    await new Promise((resolve) => stop.onFirst(resolve));
    lifecycle.stopping();
    await stopServing({
      app,
      departure,
      stop,
      withinMs: config.stopSeconds * 1000,
      onRefusing: () => {
        refusesRequests = true;
      },
      closeJobs: (ms) => catalog.backgroundJobs.close(ms),
    });
  } finally {
    await parts.close();
  }
  lifecycle.stopped();
}

async function listen(app: HttpApp, config: Config): Promise<void> {
  const { host, port } = config;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw refused(`--port: port ${port} is in use, choose another one`);
    if (code === 'EACCES') throw refused(`--port: this user may not listen on port ${port}`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw refused(`--host: "${host}" is not an address of this machine`);
    }
    throw error;
  }
}

async function beginOrClose(app: HttpApp, begin: () => void | Promise<void>): Promise<void> {
  try {
    await begin();
  } catch (error) {
    app.server.closeAllConnections(); // requests on these connections still wait for the start
    await app.close();
    throw error;
  }
}

/** True if the server listens on all IP addresses of this machine. */
export function listensOnAllInterfaces(app: HttpApp): boolean {
  const { address } = app.server.address() as AddressInfo;
  return address === '0.0.0.0' || address === '::';
}

/**
 * Returns the URLs of the server. A server that listens on all IP addresses has a URL for localhost
 * and for each IPv4 address of the machine. Any other server has one URL, for the configured
 * address.
 */
function reachableUrls(app: HttpApp): string[] {
  const { address, port } = app.server.address() as AddressInfo;
  if (!listensOnAllInterfaces(app)) {
    return [`http://${address.includes(':') ? `[${address}]` : address}:${port}`];
  }
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((entry) => entry.family === 'IPv4' && !entry.internal)
    .map((entry) => `http://${entry.address}:${port}`);
  return [`http://localhost:${port}`, ...own];
}
