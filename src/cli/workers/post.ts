import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Catalog } from '../../wire.ts';
import { type OpenMetrics, openMetrics } from '../open-metrics.ts';
import { print } from '../output.ts';
import type { Serving } from './messages.ts';

/** What a server tells of itself: as the only process, or as one of several workers. */
export interface Post {
  /** Whether what is done once at a start is done here. */
  readonly isFirst: boolean;
  /** The password for the admin that a first start creates; undefined where it is to be generated. */
  adminPassword(): Promise<string | undefined>;
  /** Null without `--metrics`. Throws one line when it cannot listen there. */
  openMetrics(config: Config, catalog: Catalog, log: Logger): Promise<OpenMetrics | null>;
  serving(serving: Serving): void;
  stopping(): void;
  /** Nothing is left to do; the process ends. */
  stopped(): void;
}

/** How long lines of the log wait for their reader at the end. */
const lastLinesMs = 1_000;

/** That of the only process. */
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

/** A reader of the log who reads nothing does not keep the process alive. */
export function endSoon(): void {
  setTimeout(() => process.exit(), lastLinesMs).unref();
}
