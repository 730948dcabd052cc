import type { JobRecord } from '../core/jobs/job.ts';
import type { JobWork } from '../core/jobs/jobs.ts';
import { refused } from '../core/shared/errors.ts';
import type { Catalog } from '../wire/catalog.ts';
import { backupWork } from './backup-work.ts';
import {
  type BundleJobOptions,
  bundleWork,
  extractWork,
  type FetchJobOptions,
  fetchWork,
} from './cover-work.ts';
import { importUploads, type UploadsJobOptions } from './import-uploads.ts';
import { type ScanJobOptions, scanWork } from './scan-work.ts';
import { type VerifyJobOptions, verifyWork } from './verify-work.ts';
import { asJob } from './work.ts';

/**
 * Returns the work for a job that a server started. The server has already checked the options, so
 * a cast to the type for the job's kind is safe. Types with required fields need a cast through
 * `unknown`.
 */
export async function startedWork(
  catalog: Catalog,
  { kind, options, actor }: JobRecord,
): Promise<JobWork<unknown>> {
  switch (kind) {
    case 'scan':
      return asJob(scanWork(catalog, await catalog.library.allRoots(), options as ScanJobOptions));
    case 'import':
    case 'import-preview':
      return importUploads(catalog, options as unknown as UploadsJobOptions, {
        actor,
        dryRun: kind === 'import-preview',
      });
    case 'covers-fetch':
      return asJob(fetchWork(catalog, options as FetchJobOptions));
    case 'covers-extract':
      return asJob(extractWork(catalog, await catalog.library.allRoots(), actor));
    case 'covers-bundle':
      return asJob(bundleWork(catalog, options as unknown as BundleJobOptions, actor));
    case 'backup':
      return asJob(backupWork(catalog));
    case 'verify':
      return asJob(verifyWork(catalog, options as VerifyJobOptions));
    default:
      throw refused(`there is no job of the kind ${kind}`);
  }
}
