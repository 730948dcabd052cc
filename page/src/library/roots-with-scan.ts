import { type Job, listNewest } from '../api/jobs.ts';
import { listRoots, type Root } from '../api/library.ts';

/** The root folders of the library, and the newest scan. `scan` is null if there was no scan. */
export interface RootsWithScan {
  readonly roots: readonly Root[];
  readonly scan: Job | null;
}

export async function readRoots(signal: AbortSignal): Promise<RootsWithScan> {
  const [roots, [scan = null]] = await Promise.all([listRoots(signal), listNewest('scan', signal)]);
  return { roots, scan };
}
