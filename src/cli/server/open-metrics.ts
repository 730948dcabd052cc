import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { refused } from '../../core/shared/errors.ts';
import type { Metrics } from '../../http/metrics/metrics.ts';
import type { MetricsAddress, MetricsExporter } from '../../http/metrics/serve-metrics.ts';
import type { CompletedRequest } from '../../http/shared/server/request-log.ts';
import type { Config } from '../../settings/config.ts';
import type { Catalog } from '../../wire/catalog.ts';

/** Collects the metrics of a running server. */
export interface OpenMetrics {
  /** Adds a finished request to the metrics. */
  readonly record: (completed: CompletedRequest) => void;
  close(): void;
}

/**
 * Serves metrics on the host and port of `--metrics`. Returns null if the option is not set. Throws
 * a one-line error if the server cannot listen on that port.
 */
export async function openMetrics(
  { metrics: address }: Config,
  catalog: Catalog,
  log: Logger,
): Promise<OpenMetrics | null> {
  if (address === undefined) return null;
  const metrics = await createMetrics(catalog);
  const { close } = await startMetricsServer(metrics, address, log);
  return { record: (completed) => metrics.record(completed), close };
}

/** Returns an object that collects the metrics of this process. */
export async function createMetrics(catalog: Catalog): Promise<Metrics> {
  // Imported on demand, so that a server without metrics does not load this code.
  const { Metrics } = await import('../../http/metrics/metrics.ts');
  return new Metrics({
    queues: () => catalog.queues(),
    async runningJobs() {
      const running = await catalog.jobs.list({ state: 'running', kind: '' }, runningJobsPage);
      return running.map(({ kind }) => kind);
    },
    async lastBackup() {
      const [newest] = await catalog.jobs.list({ state: 'done', kind: 'backup' }, newestJobPage);
      return newest?.finishedAt ? Date.parse(newest.finishedAt) : null;
    },
    freeBytes: () => catalog.freeBytes(),
  });
}

/**
 * Serves metrics on this host and port. Throws a one-line error if the server cannot listen on that
 * port.
 */
export async function startMetricsServer(
  figures: MetricsExporter,
  address: MetricsAddress,
  log: Logger,
): Promise<{ close(): void }> {
  const { serveMetrics } = await import('../../http/metrics/serve-metrics.ts');
  const onFailure = (error: unknown) => log.warn({ err: error }, 'could not collect metrics');
  const server = await serveMetrics(figures, address, onFailure).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw refused(`--metrics: cannot listen on ${address.host}:${address.port} (${code})`);
  });
  log.info({ ...(server.address() as AddressInfo) }, 'serving metrics at /metrics');
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * A page of this size has room for all running jobs, because at most one job of each kind runs at a
 * time.
 */
const runningJobsPage = { limit: 100, before: null };
const newestJobPage = { limit: 1, before: null };
