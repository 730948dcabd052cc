import type { Job } from '../../../core/jobs/job.ts';
import type { Sets } from '../../../core/sets/sets.ts';
import { CatalogError } from '../../../core/shared/errors.ts';
import type { Viewer } from '../../../core/shared/requests/viewer.ts';

/** Returns true if a set exists and the viewer sees it. */
export async function seesSet(
  id: number,
  sets: Pick<Sets, 'get'>,
  viewer: Viewer,
): Promise<boolean> {
  try {
    await sets.get(id, viewer);
    return true;
  } catch (error) {
    if (error instanceof CatalogError && error.kind === 'not-found') return false;
    throw error;
  }
}

/**
 * Returns the jobs. If a job is for a set that the viewer does not see, its progress name, report
 * and reason are removed, because they may contain names of files and sets. A job that the viewer
 * started is returned unchanged.
 */
export async function hideSets<Shown extends Job>(
  jobs: readonly Shown[],
  sets: Pick<Sets, 'get'>,
  viewer: Viewer,
): Promise<Shown[]> {
  const seen = new Map<number, boolean>();
  const shown: Shown[] = [];
  for (const job of jobs) {
    const { setId } = job;
    if (setId === null || isOwn(job, viewer)) {
      shown.push(job);
      continue;
    }
    const sees = seen.get(setId) ?? (await seesSet(setId, sets, viewer));
    seen.set(setId, sees);
    shown.push(sees ? job : withoutNames(job));
  }
  return shown;
}

function isOwn({ actor }: Job, viewer: Viewer): boolean {
  return viewer !== 'everybody' && actor.kind === 'user' && actor.userId === viewer.userId;
}

function withoutNames<Shown extends Job>(job: Shown): Shown {
  const progress = job.progress && { ...job.progress, name: '' };
  const report = 'report' in job ? { report: null } : {};
  return { ...job, ...report, progress, reason: null };
}
