import { type Job, readJob, startJob } from '../api/jobs.ts';

/** What a job of a kind may be asked here: one of the command line may have been asked more. */
const names: Readonly<Record<string, readonly string[]>> = {
  scan: ['hash', 'full', 'forget'],
  import: ['uploads', 'prune', 'system', 'source'],
  'import-preview': ['uploads', 'prune', 'system', 'source'],
  'covers-fetch': ['system', 'missing', 'removed', 'release_ids'],
  'covers-extract': [],
  'covers-bundle': ['name', 'system'],
  verify: ['store', 'covers', 'library', 'rate'],
};

/** Whether a job that did not come to its end may be started again. */
export function mayStartAgain({ kind, state }: Job): boolean {
  return (state === 'interrupted' || state === 'stopped') && kind in names;
}

/** Starts a job with the same options. */
export async function startAgain({ id, kind }: Job): Promise<void> {
  const { options } = await readJob(id);
  const known = Object.entries(options).filter(([name]) => names[kind]?.includes(name));
  await startJob(kind, Object.fromEntries(known));
}
