import type { JobProgress } from '../core/jobs/job.ts';
import type { JobWork } from '../core/jobs/jobs.ts';

/** A signal that stops the work, and a function that the work calls with its progress. */
export interface WorkOptions<Progress> {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** The work of a job, whether a command or a server started the job. */
export interface Work<Progress, Report> {
  run(options: WorkOptions<Progress>): Promise<Report>;
  /** Converts the work's progress to the form that is stored in the job's row. */
  progressOf(progress: Progress): JobProgress;
  /**
   * Returns the part of a report that is stored in the row of a background job. If this function is
   * missing, the whole report is stored.
   */
  kept?(report: Report): object;
}

/**
 * Converts work to the function that a background job runs. Progress and report are visible only in
 * the job's row.
 */
export function asJob<Progress, Report>(work: Work<Progress, Report>): JobWork<unknown> {
  return async ({ signal, progress }) => {
    const onProgress = (next: Progress) => progress(work.progressOf(next));
    const report = await work.run({ signal, onProgress });
    return work.kept?.(report) ?? report;
  };
}
