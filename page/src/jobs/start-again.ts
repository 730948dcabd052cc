import { type Job, readJob, startJob } from '../api/jobs.ts';
import { acceptedOptions, isStartableKind } from './options.ts';

/**
 * Returns true if a job can be started again: the job failed, was interrupted or stopped, and jobs
 * of its kind can be started through the API.
 */
export function mayStartAgain({ kind, state }: Job): boolean {
  return ['failed', 'interrupted', 'stopped'].includes(state) && isStartableKind(kind);
}

/**
 * Starts a new job with the options of an earlier job. Leaves out options that the API does not
 * accept.
 */
export async function startAgain({ id, kind }: Job): Promise<void> {
  if (!isStartableKind(kind)) return;
  const { options } = await readJob(id);
  await startJob(kind, acceptedOptions(kind, options));
}
