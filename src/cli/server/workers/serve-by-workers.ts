import type { Logger } from 'pino';
import type { Config } from '../../../settings/config.ts';
import { StopSignal } from '../../stop-signal.ts';
import { serveFigures } from '../open-metrics.ts';
import type { Serving } from './messages.ts';
import { tellServing, tellStopped, tellStopping } from './server-lifecycle.ts';
import { TeamFigures } from './team-figures.ts';
import { NeverServed, Team } from './worker-pool.ts';

/**
 * Serves with several worker processes on one port until a signal stops them. This process answers
 * no requests: it distributes connections, restarts workers that ended, and passes signals on.
 * Workers also end if this process ends.
 */
export async function serveByWorkers(config: Config, log: Logger): Promise<void> {
  const { adminPassword } = config;
  const team: Team = new Team({ log, adminPassword, onEnd: (worker) => figures.keep(worker) });
  const figures = new TeamFigures(() => team.serving);
  const listener = config.metrics && (await serveFigures(figures, config.metrics, log));
  const stop = new StopSignal(() => team.stop());
  stop.onFirst(() => team.stop());
  try {
    tellServing(config, log, await startAll(team, config), { workers: config.workers });
    await new Promise((resolve) => stop.onFirst(resolve));
    tellStopping(config, log);
  } catch (error) {
    if (!(error instanceof NeverServed)) throw error;
    if (stop.came === null) process.exitCode = error.code;
  } finally {
    team.stop();
    process.exitCode ||= await team.ended();
    listener?.close();
    stop.release();
  }
  if (stop.came !== null) tellStopped(log);
}

/**
 * Starts the first worker alone, because the first worker upgrades the database and reports errors
 * that prevent a start. Then starts the other workers.
 */
async function startAll(team: Team, { workers }: Config): Promise<Serving> {
  const serving = await team.start();
  await Promise.all(Array.from({ length: workers - 1 }, () => team.start()));
  return serving;
}
