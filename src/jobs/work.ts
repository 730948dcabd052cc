import type { JobProgress } from '../core/jobs/job.ts';
import {
  type JobKind,
  type JobReportOf,
  type PhaseOf,
  shortenedListsOf,
} from '../core/jobs/job-kind.ts';
import type { JobWork, RunningJob } from '../core/jobs/jobs.ts';

/**
 * The options of a run of work: a signal that stops it, and a function that receives its progress.
 * `step` and `keepStep` are for work that can resume after an interruption (`resumption` in
 * `jobKinds`).
 */
export interface WorkOptions<Progress> extends Pick<RunningJob, 'signal' | 'step' | 'keepStep'> {
  readonly onProgress: (progress: Progress) => void;
}

/**
 * The work of a job that a command or a server started. `toStoredReport` is required if the fields
 * of the report differ from the fields in `jobKinds`.
 */
export type Work<Kind extends JobKind, Progress, Report> =
  IsStorable<Kind, Report> extends true
    ? BaseWork<Kind, Progress, Report>
    : Required<BaseWork<Kind, Progress, Report>>;

export interface BaseWork<Kind extends JobKind, Progress, Report> {
  readonly kind: Kind;
  run(options: WorkOptions<Progress>): Promise<Report>;
  /** Converts the work's progress to the form that is stored in the job's row. */
  progressOf(progress: Progress): JobProgress & { readonly phase: PhaseOf<Kind> };
  /**
   * Returns the report to store in the row of a background job. The lists of this report are not
   * shortened yet. If this function is missing, the report of the work is stored.
   */
  toStoredReport?(report: Report): JobReportOf<Kind>;
}

/** The work of a job whose progress and report have unknown types. */
export type AnyWork<Kind extends JobKind> = BaseWork<Kind, unknown, unknown>;

type IsStorable<Kind extends JobKind, Report> =
  Report extends JobReportOf<Kind>
    ? Exclude<keyof Report, keyof JobReportOf<Kind>> extends never
      ? true
      : false
    : false;

/**
 * Maximum number of items in a shortened list of a job's report. The report must fit in the job's
 * row.
 */
const maxListed = 500;

/**
 * Converts work to the function that a background job runs. Progress and report are visible only in
 * the job's row.
 */
export function toJobWork(work: AnyWork<JobKind>): JobWork<unknown> {
  return async ({ progress, ...job }) => {
    const onProgress = (next: unknown) => progress(work.progressOf(next));
    const report = await work.run({ ...job, onProgress });
    return shortenLists(work.kind, work.toStoredReport?.(report) ?? report);
  };
}

/**
 * Shortens the lists of a report. For each of these lists, adds a field with the number of all
 * items.
 */
function shortenLists(kind: JobKind, report: unknown): object {
  const stored: Record<string, unknown> = { ...(report as object) };
  for (const name of shortenedListsOf(kind)) {
    const items = stored[name] as readonly object[];
    stored[name] = items.slice(0, maxListed);
    stored[`${name}Files`] = items.length;
  }
  return stored;
}
