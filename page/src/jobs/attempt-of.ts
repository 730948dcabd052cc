import type { Job } from '../api/jobs.ts';
import type { Messages } from '../language/en.ts';

/** Returns the number of a job's attempt, after a comma; "" during the first attempt. */
export function attemptOf({ attempt, attempts }: Job, texts: Messages['jobs']): string {
  return attempt > 1 ? `, ${texts.attempt(attempt, attempts)}` : '';
}
