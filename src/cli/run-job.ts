import type { JobKind, JobOptionsOf } from '../core/jobs/job-kind.ts';
import { StopRequested } from '../core/jobs/stop-reasons.ts';
import { refused } from '../core/shared/errors.ts';
import type { BaseWork } from '../jobs/work.ts';
import type { Catalog } from '../wire/catalog.ts';
import { cliActor } from './actor.ts';
import { lowerPriority } from './lower-priority.ts';
import type { ProgressDisplay } from './output/progress-display.ts';
import type { ProgressView } from './output/progress-line.ts';
import { withStopSignals } from './with-stop-signals.ts';

/**
 * The long-running work of a command, and the texts and functions that show the work's progress.
 */
export interface CommandJob<Kind extends JobKind, Progress, Report> {
  readonly work: BaseWork<Kind, Progress, Report>;
  /** Options given to the command, as stored in the job's row. */
  readonly options: Partial<JobOptionsOf<Kind>>;
  readonly display: ProgressDisplay;
  /**
   * Message that is printed when the job is stopped. The message says what happens to the
   * unfinished work.
   */
  readonly stopMessage: string;
  show(progress: Progress): ProgressView;
}

/**
 * Runs work as a job, with a row in the database and progress on the display. SIGINT or SIGTERM
 * stops the job between two steps; this function then throws `Stopped`. A second signal ends the
 * process at once. Throws refused() if another program stops the job.
 */
export async function runJob<Kind extends JobKind, Progress, Report>(
  catalog: Catalog,
  { work, options, display, stopMessage, show }: CommandJob<Kind, Progress, Report>,
): Promise<Report> {
  lowerPriority();
  const request = { kind: work.kind, options: { ...options }, actor: cliActor() };
  try {
    return await withStopSignals(stopMessage, (stopped) =>
      catalog.jobs.run(request, stopped, ({ progress, ...job }) =>
        work.run({
          ...job,
          onProgress(next) {
            progress(work.progressOf(next));
            display.update(show(next));
          },
        }),
      ),
    );
  } catch (error) {
    throw error instanceof StopRequested ? refused(stopMessage) : error;
  } finally {
    display.clear();
  }
}
