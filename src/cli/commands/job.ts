import type { Command } from 'commander';
import type { JobRun } from '../../core/jobs/ports.ts';
import { Interrupted, StopRequested } from '../../core/jobs/stop-reasons.ts';
import { waitOutBusy } from '../../core/jobs/wait-out-busy.ts';
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
  withSettings(
    withData(job),
    'gamesRoots',
    'videosRoots',
    'coverSource',
    'catalogueSource',
    'backupTo',
    'backupKeep',
    'targets',
  )
    .description('run a job that a server started')
    .argument('<id>')
    .argument('<run>')
    .action((id: string, run: string, _options: unknown, command: Command) => {
      if (process.channel === undefined)
        throw usageError('job: only a server can run this command');
      return withCatalog(command, (catalog) =>
        carryOut(catalog, { id: Number(id), run: Number(run) }),
      );
    });
}

/**
 * Runs the job. If the job fails, the error is stored in the job's row. The server logs what this
 * process prints to standard error.
 */
async function carryOut(catalog: Catalog, run: JobRun): Promise<void> {
  lowerSessionPriority();
  const abort = new AbortController();
  const interrupt = () => abort.abort(new Interrupted({ wasStoppedByServer: true }));
  const orphan = () => abort.abort(new Interrupted({ wasStoppedByServer: false }));
  process.on('SIGTERM', interrupt).on('SIGINT', interrupt).on('disconnect', orphan);
  // If the server ended while this process was starting, the event 'disconnect' came before the
  // listener was added.
  if (!process.connected) orphan();
  try {
    const job = await waitOutBusy(() => catalog.jobs.adopt(run), abort.signal);
    if (job === null) throw refused(`job ${run.id} is not running`);
    // If the work cannot be created, the job fails with the reason.
    await catalog.jobs.runOwned(job, abort.signal, async (running) =>
      (await createWork(catalog, job))(running),
    );
  } catch (error) {
    if (!(error instanceof Interrupted || error instanceof StopRequested)) throw error;
  } finally {
    process.off('disconnect', orphan);
    if (process.connected) process.disconnect(); // an open channel keeps the process alive
  }
}
