import type { Logger } from 'pino';
import type { Config } from '../../../settings/config.ts';
import type { Catalog } from '../../../wire/catalog.ts';
import { print } from '../../output/output.ts';
import { type OpenMetrics, openMetrics } from '../open-metrics.ts';
import type { Serving } from './messages.ts';

/**
 * The steps in the lifecycle of a server process that differ between a single process and a worker.
 */
export interface ServerLifecycle {
  /** True if this process does the work that only one of the processes may do at a start. */
  readonly isFirst: boolean;
  /**
   * Returns the password for the admin that the first start creates; undefined to generate a
   * password.
   */
  adminPassword(): Promise<string | undefined>;
  /**
   * Returns the metrics; null without `--metrics`. Throws a one-line error if the server cannot
   * listen on that host and port.
   */
  openMetrics(config: Config, catalog: Catalog, log: Logger): Promise<OpenMetrics | null>;
  serving(serving: Serving): void;
  stopping(): void;
  /** Called when all work is done. The process then ends. */
  stopped(): void;
}

/**
 * Maximum time, in milliseconds, that the process waits at exit for the last log lines to be read.
 */
const flushGraceMs = 1_000;

/** Returns the lifecycle of a server with a single process. */
export function singleProcessLifecycle(config: Config, log: Logger): ServerLifecycle {
  return {
    isFirst: true,
    adminPassword: async () => config.adminPassword,
    openMetrics,
    serving: (serving) => announceServing(config, log, serving),
    stopping: () => announceStopping(config, log),
    stopped: () => announceStopped(log),
  };
}

export function announceServing(
  { data, basePath }: Config,
  log: Logger,
  { address, urls }: Serving,
  more: object = {},
): void {
  log.info({ data, ...address, ...more }, 'serving');
  print(...urls.map((url) => `Catalog is at ${url}${basePath}`));
}

export function announceStopping({ stopSeconds }: Config, log: Logger): void {
  log.info({ seconds: stopSeconds }, 'stopping: waiting for running requests');
}

export function announceStopped(log: Logger): void {
  log.info({}, 'stopped');
  exitSoon();
}

/**
 * Ends the process after a short time, even if a stalled reader of the log would keep the process
 * alive.
 */
export function exitSoon(): void {
  setTimeout(() => process.exit(), flushGraceMs).unref();
}
