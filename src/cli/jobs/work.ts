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
}

/** The work of a job whose progress only its row tells. */
export function asJob<Progress, Report>(work: Work<Progress, Report>): JobWork<Report> {
  return ({ signal, progress }) =>
    work.run({ signal, onProgress: (next) => progress(work.progressOf(next)) });
}
