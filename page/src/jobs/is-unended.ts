import type { Job } from '../api/jobs.ts';

/**
 * Returns true if a job is running or queued. A queued job waits for its first or another attempt.
 */
export function isUnended({ state }: Pick<Job, 'state'>): boolean {
  return state === 'running' || state === 'queued';
}
