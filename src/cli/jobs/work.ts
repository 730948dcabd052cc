import type { JobProgress } from '../../core/jobs/job.ts';
import type { JobWork } from '../../core/jobs/jobs.ts';

/** How work reports progress and is stopped. */
export interface WorkOptions<Progress> {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** The work of a job, no matter how it was started. */
export interface Work<Progress, Report> {
  run(options: WorkOptions<Progress>): Promise<Report>;
  /** Converts progress to the form of the job's row. */
  progressOf(progress: Progress): JobProgress;
  /**
   * Returns the part of a long report that the row of a background job stores; absent to store all
   * of it.
   */
  kept?(report: Report): object;
}

/** Wraps work as a job whose progress and report are only visible in its row. */
export function asJob<Progress, Report>(work: Work<Progress, Report>): JobWork<unknown> {
  return async ({ signal, progress }) => {
    const onProgress = (next: Progress) => progress(work.progressOf(next));
    const report = await work.run({ signal, onProgress });
    return work.kept?.(report) ?? report;
  };
}
