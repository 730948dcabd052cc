import type { Logger } from 'pino';
import type { Config } from '../../../settings/config.ts';
import { StopSignal } from '../../stop-signal.ts';
import { startMetricsServer } from '../open-metrics.ts';
import type { Serving } from './messages.ts';
import { announceServing, announceStopped, announceStopping } from './server-lifecycle.ts';
import { WorkerMetrics } from './worker-metrics.ts';
import { WorkerPool, WorkerStartFailure } from './worker-pool.ts';

/**
 * Serves with several worker processes on one port until a signal stops them. This process serves
 * no requests: it distributes connections, restarts workers that ended, and passes signals on.
 * Workers also end if this process ends.
 */
export async function serveByWorkers(config: Config, log: Logger): Promise<void> {
  const { adminPassword } = config;
  const pool: WorkerPool = new WorkerPool({
    log,
    adminPassword,
    onEnd: (worker) => figures.retainCounters(worker),
  });
  const figures = new WorkerMetrics(() => pool.serving);
  const listener = config.metrics && (await startMetricsServer(figures, config.metrics, log));
  const stop = new StopSignal(() => pool.stop());
  stop.onFirst(() => pool.stop());
  try {
    announceServing(config, log, await startAll(pool, config), { workers: config.workers });
    await new Promise((resolve) => stop.onFirst(resolve));
    announceStopping(config, log);
  } catch (error) {
    if (!(error instanceof WorkerStartFailure)) throw error;
    if (stop.received === null) process.exitCode = error.code;
  } finally {
    pool.stop();
    process.exitCode ||= await pool.ended();
    listener?.close();
    stop.release();
  }
  if (stop.received !== null) announceStopped(log);
}

/**
 * Starts the first worker alone, because the first worker upgrades the database and reports errors
 * that prevent a start. Then starts the other workers.
 */
async function startAll(team: WorkerPool, { workers }: Config): Promise<Serving> {
  const serving = await team.start();
  await Promise.all(Array.from({ length: workers - 1 }, () => team.start()));
  return serving;
}
