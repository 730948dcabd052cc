import type { JobProgress } from '../../core/jobs/job.ts';
import type { JobWork } from '../../core/jobs/jobs.ts';

/** How work is followed, and stopped. */
export interface WorkOptions<Progress> {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** What a job does, whoever started it. */
export interface Work<Progress, Report> {
  run(options: WorkOptions<Progress>): Promise<Report>;
  /** How far it is, as the job's row says it. */
  progressOf(progress: Progress): JobProgress;
  /** Of a report that may be long, what the row of a job keeps that nobody sees the end of; absent for all. */
  kept?(report: Report): object;
}

/** The work of a job whose progress and report only its row tells. */
export function asJob<Progress, Report>(work: Work<Progress, Report>): JobWork<unknown> {
  return async ({ signal, progress }) => {
    const onProgress = (next: Progress) => progress(work.progressOf(next));
    const report = await work.run({ signal, onProgress });
    return work.kept?.(report) ?? report;
  };
}
