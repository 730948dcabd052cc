import type { Job } from '../api/jobs.ts';
import type { Messages } from '../language/en.ts';

/**
 * Returns a comma and the number of the job's current attempt. Returns "" during the first attempt.
 */
export function attemptOf({ attempt, attempts }: Job, texts: Messages['jobs']): string {
  return attempt > 1 ? `, ${texts.attempt(attempt, attempts)}` : '';
}
