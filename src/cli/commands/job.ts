import type { Command } from 'commander';
import { Interrupted, StopRequested } from '../../core/jobs/stop-reasons.ts';
import { refused, usageError } from '../../core/shared/errors.ts';
import { createWork } from '../../jobs/create-work.ts';
import type { Catalog } from '../../wire/catalog.ts';
import { lowerSessionPriority } from '../lower-priority.ts';
import { withCatalog, withData, withSettings } from '../options.ts';

/**
 * Adds `catalog job`, the command of the separate process in which a server runs a job. The help
 * does not show the command, because only servers run it.
 */
export function addJob(program: Command): void {
  const job = program.command('job', { hidden: true });
  withSettings(withData(job), 'gamesRoots', 'videosRoots', 'coverSource', 'backupTo', 'backupKeep')
    .description('run a job that a server started')
    .argument('<id>')
    .action((id: string, _options: unknown, command: Command) => {
      if (process.channel === undefined)
        throw usageError('job: only a server can run this command');
      return withCatalog(command, (catalog) => carryOut(catalog, Number(id)));
    });
}

/**
 * Runs the job. If the job fails, the error is stored in the job's row. The server logs what this
 * process prints to standard error.
 */
async function carryOut(catalog: Catalog, id: number): Promise<void> {
  lowerSessionPriority();
  const abort = new AbortController();
  const interrupt = () => abort.abort(new Interrupted());
  process.on('SIGTERM', interrupt).on('SIGINT', interrupt).on('disconnect', interrupt);
  // If the server ended while this process was starting, the event 'disconnect' came before the
  // listener was added.
  if (!process.connected) interrupt();
  try {
    const job = await catalog.jobs.adopt(id);
    if (job === null) throw refused(`job ${id} is not running`);
    await catalog.jobs.runOwned(id, abort.signal, await createWork(catalog, job));
  } catch (error) {
    if (!(error instanceof Interrupted || error instanceof StopRequested)) throw error;
  } finally {
    process.off('disconnect', interrupt);
    if (process.connected) process.disconnect(); // an open channel keeps the process alive
  }
}
