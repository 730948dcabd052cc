import { type Job, readJob, startJob } from '../api/jobs.ts';

/**
 * The options of each kind of job that can be set here. A job from the command line may have had
 * more.
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

/** Returns whether a job that did not finish may be restarted. */
export function mayStartAgain({ kind, state }: Job): boolean {
  return (state === 'interrupted' || state === 'stopped') && kind in names;
}

/** Starts a new job with the same options, except those that cannot be set here. */
export async function startAgain({ id, kind }: Job): Promise<void> {
  const { options } = await readJob(id);
  const known = Object.entries(options).filter(([name]) => names[kind]?.includes(name));
  await startJob(kind, Object.fromEntries(known));
}
