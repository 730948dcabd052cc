import { type Job, readJob, startJob } from '../api/jobs.ts';

/**
 * For each kind of job, the options that are copied when a job is started again. A job from the
 * command line may have other options, which the API does not accept.
 */
const names: Readonly<Record<string, readonly string[]>> = {
  scan: ['hash', 'full', 'forget'],
  import: ['uploads', 'prune', 'system', 'source'],
  'import-preview': ['uploads', 'prune', 'system', 'source'],
  'covers-fetch': ['system', 'missing', 'removed', 'release_ids'],
  'covers-extract': [],
  'covers-bundle': ['name', 'system'],
  verify: ['store', 'covers', 'library', 'rate'],
};

/**
 * Returns true if a job can be started again. Such a job was interrupted or stopped, and has a kind
 * that the page can start.
 */
export function mayStartAgain({ kind, state }: Job): boolean {
  return (state === 'interrupted' || state === 'stopped') && kind in names;
}

/**
 * Starts a new job with the options of an earlier job. Leaves out options that the API does not
 * accept.
 */
export async function startAgain({ id, kind }: Job): Promise<void> {
  const { options } = await readJob(id);
  const known = Object.entries(options).filter(([name]) => names[kind]?.includes(name));
  await startJob(kind, Object.fromEntries(known));
}
