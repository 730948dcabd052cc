import { type ResponseOf, requestJson } from './request.ts';
import type { BodyAt } from './request-types.ts';
import type { JobKind, jobOptions } from './schema.ts';

/** A job as shown in lists. */
export type Job = ResponseOf<'getJobs'>['items'][number];
/** A job with its options and its report. */
export type JobDetails = ResponseOf<'getJobsJobId'>;
export type Schedule = ResponseOf<'getSchedules'>['items'][number];

/**
 * Returns one page of jobs, newest first. With `before`, only jobs with a lower id are returned.
 */
export async function listJobs(
  before: number | undefined,
  signal: AbortSignal,
): Promise<readonly Job[]> {
  const query = { before, limit: jobsPageSize };
  return (await requestJson('GET', '/api/jobs', { query, signal })).items;
}

/** Returns the newest 20 jobs of a kind, newest first. */
export async function listNewest(kind: JobKind, signal: AbortSignal): Promise<readonly Job[]> {
  const query = { kind, limit: 20 };
  return (await requestJson('GET', '/api/jobs', { query, signal })).items;
}

/**
 * Finds the newest job of each kind among the newest 50 jobs. Returns those that failed, newest
 * first.
 */
export async function listFailedJobs(signal: AbortSignal): Promise<readonly Job[]> {
  const jobs = await listJobs(undefined, signal);
  const newest = jobs.filter(({ kind }, at) => jobs.findIndex((job) => job.kind === kind) === at);
  return newest.filter(({ state }) => state === 'failed');
}

/** Maximum number of jobs per page. A page with fewer jobs is the last page. */
export const jobsPageSize = 50;

export function readJob(id: number, signal?: AbortSignal): Promise<JobDetails> {
  return requestJson('GET', '/api/jobs/{job_id}', { path: { job_id: id }, signal });
}

/** Starts a job and returns its id. */
export async function startJob(
  kind: keyof typeof jobOptions,
  options: object = {},
): Promise<number> {
  // The cast is safe, because the server checks the options.
  const body = { kind, options } as BodyAt<'POST', '/api/jobs'>;
  return (await requestJson('POST', '/api/jobs', { body })).id;
}

export async function stopJob(id: number): Promise<void> {
  await requestJson('POST', '/api/jobs/{job_id}/stop', { path: { job_id: id } });
}

export async function listSchedules(signal: AbortSignal): Promise<readonly Schedule[]> {
  return (await requestJson('GET', '/api/schedules', { signal })).items;
}

export function changeSchedule(
  kind: string,
  change: Partial<Pick<Schedule, 'on' | 'weekday' | 'time'>>,
): Promise<Schedule> {
  return requestJson('PATCH', '/api/schedules/{kind}', { path: { kind }, body: change });
}
