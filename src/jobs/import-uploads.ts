import type { JobWork } from '../core/jobs/jobs.ts';
import { refused } from '../core/shared/errors.ts';
import type { Actor } from '../core/shared/requests/actor.ts';
import type { FetchedDat } from '../core/uploads/uploads.ts';
import { keepHeapSmall } from '../memory/small-heap.ts';
import type { Catalog } from '../wire/catalog.ts';
import { importWork } from './import-work.ts';
import { asJob } from './work.ts';

/** Options of an `import` or `import-preview` job, named as in the API. */
export interface UploadsJobOptions {
  /** Ids of the uploads whose DATs are imported. */
  readonly uploads: readonly number[];
  readonly prune?: boolean;
  readonly system?: string;
  readonly source?: string;
}

/**
 * Returns the job that imports uploaded DATs. With `dryRun`, the job only reports what an import
 * would do. The job does not delete the uploads.
 */
export function importUploads(
  catalog: Catalog,
  { uploads, ...options }: UploadsJobOptions,
  { actor, dryRun }: { actor: Actor; dryRun: boolean },
): JobWork<unknown> {
  keepHeapSmall();
  return async (job) => {
    const dats: FetchedDat[] = [];
    try {
      for (const id of uploads) dats.push(await fetch(catalog, id, job.signal));
      const files = dats.map(({ path, filename: name }) => ({ path, name }));
      return await asJob(importWork(catalog, files, { ...options, dryRun }, actor))(job);
    } finally {
      for (const dat of dats) await dat.drop();
    }
  };
}

/**
 * Fetches an upload as a local file. `seesAll` is true, because access was checked when the job was
 * started. Throws refused() if the upload no longer exists.
 */
async function fetch({ uploads }: Catalog, id: number, signal: AbortSignal): Promise<FetchedDat> {
  const dat = await uploads.fetchDat(id, { userId: 0, seesAll: true }, signal);
  if (dat === null) throw refused(`upload ${id} is no longer there: send the file again`);
  return dat;
}
