import type { NamedPath } from '../../core/imports/imports.ts';
import type { JobWork } from '../../core/jobs/jobs.ts';
import type { Actor } from '../../core/shared/actor.ts';
import { refused } from '../../core/shared/errors.ts';
import type { Catalog } from '../../wire.ts';
import { keepHeapSmall } from '../small-heap.ts';
import { importWork } from './import-work.ts';
import { asJob } from './work.ts';

/** Options of `import` and `import-preview`, in the words of the API. */
export interface UploadsJobOptions {
  /** Ids. */
  readonly uploads: readonly number[];
  readonly prune?: boolean;
  readonly system?: string;
  readonly source?: string;
}

/** Imports DATs that were uploaded, or only tells what that would do; they stay for another while. */
export async function importUploads(
  catalog: Catalog,
  { uploads, ...options }: UploadsJobOptions,
  { actor, dryRun }: { actor: Actor; dryRun: boolean },
): Promise<JobWork<unknown>> {
  keepHeapSmall();
  const files: NamedPath[] = [];
  for (const id of uploads) files.push(await fileOf(catalog, id));
  return asJob(importWork(catalog, files, { ...options, dryRun }, actor));
}

/** Whose it may be was asked when the job was begun. */
async function fileOf({ uploads }: Catalog, id: number): Promise<NamedPath> {
  const dat = await uploads.findDat(id, { userId: 0, seesAll: true });
  if (dat === null) throw refused(`upload ${id} is no longer there: send the file again`);
  await uploads.noteUse(dat);
  return { path: dat.path, name: dat.filename };
}
