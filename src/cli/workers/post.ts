import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Catalog } from '../../wire.ts';
import { type OpenMetrics, openMetrics } from '../open-metrics.ts';
import { print } from '../output.ts';
import type { Serving } from './messages.ts';

/** The lifecycle of a server process, as the only one or as one of several workers. */
export interface Post {
  /** Whether this process does the work that is done once at a start. */
  readonly isFirst: boolean;
  /** The password for the admin that a first start creates; undefined to generate one. */
  adminPassword(): Promise<string | undefined>;
  /** Null without `--metrics`. Throws a one-line error if it cannot listen there. */
  openMetrics(config: Config, catalog: Catalog, log: Logger): Promise<OpenMetrics | null>;
  serving(serving: Serving): void;
  stopping(): void;
  /** Called when nothing is left to do; the process ends. */
  stopped(): void;
}

/** How long the last log lines may wait for their reader. */
const lastLinesMs = 1_000;

/** Returns the lifecycle of the only process. */
export function onlyPost(config: Config, log: Logger): Post {
  return {
    isFirst: true,
    adminPassword: async () => config.adminPassword,
    openMetrics,
    serving: (serving) => tellServing(config, log, serving),
    stopping: () => tellStopping(config, log),
    stopped: () => tellStopped(log),
  };
}

export function tellServing(
  { data, basePath }: Config,
  log: Logger,
  { address, urls }: Serving,
  more: object = {},
): void {
  log.info({ data, ...address, ...more }, 'serving');
  print(...urls.map((url) => `Catalog is at ${url}${basePath}`));
}

export function tellStopping({ stopSeconds }: Config, log: Logger): void {
  log.info({ seconds: stopSeconds }, 'stopping: running requests may end');
}

export function tellStopped(log: Logger): void {
  log.info({}, 'stopped');
  endSoon();
}

/** Ends the process soon, so that a stalled reader of the log does not keep it alive. */
export function endSoon(): void {
  setTimeout(() => process.exit(), lastLinesMs).unref();
}
