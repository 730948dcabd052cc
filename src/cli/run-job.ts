import type { Catalog } from '../wire.ts';
import { cliActor } from './actor.ts';
import type { ProgressDisplay } from './progress-display.ts';
import type { Shown } from './progress-line.ts';
import { StopSignal } from './stop-signal.ts';
import { exitCodeOf, Stopped } from './stopped.ts';

/** Long work of a command, with what is its own. */
export interface CommandJob<Progress, Report> {
  /** As in the job's row. */
  readonly kind: string;
  readonly display: ProgressDisplay;
  /** What is said when a signal stops it: what becomes of the work. */
  readonly whenStopped: string;
  work(options: JobOptions<Progress>): Promise<Report>;
  show(progress: Progress): Shown;
}

export interface JobOptions<Progress> {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Runs work as a job: a row in the database, progress on the display. SIGINT or SIGTERM stops it between two steps and
 * throws `Stopped`; a second signal ends the process at once.
 */
export async function runJob<Progress, Report>(
  catalog: Catalog,
  { kind, display, whenStopped, work, show }: CommandJob<Progress, Report>,
): Promise<Report> {
  const abort = new AbortController();
  const stop = new StopSignal((signal) => process.exit(exitCodeOf(signal)));
  stop.onFirst((signal) => abort.abort(new Stopped(signal, whenStopped)));
  try {
    return await catalog.jobs.run(kind, cliActor(), abort.signal, (job) =>
      work({
        signal: abort.signal,
        onProgress(progress) {
          job.progress(progress);
          display.update(show(progress));
        },
      }),
    );
  } catch (error) {
    throw abort.signal.aborted ? abort.signal.reason : error;
  } finally {
    display.clear();
    stop.release();
  }
}
