import type { JobOptions } from '../core/jobs/job.ts';
import { StopAsked } from '../core/jobs/stop-reasons.ts';
import { refused } from '../core/shared/errors.ts';
import type { Catalog } from '../wire.ts';
import { cliActor } from './actor.ts';
import { giveWay } from './give-way.ts';
import type { Work } from './jobs/work.ts';
import type { ProgressDisplay } from './progress-display.ts';
import type { Shown } from './progress-line.ts';
import { whileSignals } from './while-signals.ts';

/** The long-running work of a command, with its command-specific parts. */
export interface CommandJob<Progress, Report> {
  /** Kind, as in the job's row. */
  readonly kind: string;
  /** Options given to the command, as in the job's row. */
  readonly options: JobOptions;
  readonly work: Work<Progress, Report>;
  readonly display: ProgressDisplay;
  /** Message when it is stopped, which says what becomes of the work. */
  readonly whenStopped: string;
  show(progress: Progress): Shown;
}

/**
 * Runs work as a job, with a row in the database and progress on the display. SIGINT or SIGTERM
 * stops it between two steps and makes it throw `Stopped`; a second signal ends the process at
 * once. If another program stops the job, it throws refused().
 */
export async function runJob<Progress, Report>(
  catalog: Catalog,
  { kind, options, work, display, whenStopped, show }: CommandJob<Progress, Report>,
): Promise<Report> {
  giveWay();
  const request = { kind, options, actor: cliActor() };
  try {
    return await whileSignals(whenStopped, (stopped) =>
      catalog.jobs.run(request, stopped, ({ signal, progress }) =>
        work.run({
          signal,
          onProgress(next) {
            progress(work.progressOf(next));
            display.update(show(next));
          },
        }),
      ),
    );
  } catch (error) {
    throw error instanceof StopAsked ? refused(whenStopped) : error;
  } finally {
    display.clear();
  }
}
