import type { JobRecord } from '../core/jobs/job.ts';
import { isServerJobKind, type JobOptionsOf, type ServerJobKind } from '../core/jobs/job-kind.ts';
import type { JobWork } from '../core/jobs/jobs.ts';
import { refused } from '../core/shared/errors.ts';
import type { Actor } from '../core/shared/requests/actor.ts';
import type { Catalog } from '../wire/catalog.ts';
import { backupWork } from './backup-work.ts';
import { buildWork, undoWork } from './build-work.ts';
import { catalogueWork } from './catalogue-work.ts';
import { bundleWork, extractWork, fetchWork } from './cover-work.ts';
import { importUploads } from './import-uploads.ts';
import { scanWork } from './scan-work.ts';
import { verifyWork } from './verify-work.ts';
import { type AnyWork, toJobWork } from './work.ts';

/** The work of each kind of job that a server can start. */
const workByKind: { readonly [Kind in ServerJobKind]: WorkOf<Kind> } = {
  scan: async (catalog, options) => scanWork(catalog, await catalog.library.allRoots(), options),
  import: (catalog, options, actor) => importUploads(catalog, 'import', options, actor),
  'import-preview': (catalog, options, actor) =>
    importUploads(catalog, 'import-preview', options, actor),
  'fetch-catalogue': (catalog, _options, actor) => catalogueWork(catalog, actor),
  'covers-fetch': fetchWork,
  'covers-extract': async (catalog, _options, actor) =>
    extractWork(catalog, await catalog.library.allRoots(), actor),
  'covers-bundle': bundleWork,
  verify: verifyWork,
  'build-preview': (catalog, options, actor) => buildWork(catalog, 'build-preview', options, actor),
  build: (catalog, options, actor) => buildWork(catalog, 'build', options, actor),
  'build-undo': undoWork,
  backup: backupWork,
};

type WorkOf<Kind extends ServerJobKind> = (
  catalog: Catalog,
  options: JobOptionsOf<Kind>,
  actor: Actor,
) => AnyWork<Kind> | Promise<AnyWork<Kind>>;

/**
 * Returns the work for a job that a server started. Throws refused() for a kind that a server
 * cannot start.
 */
export async function createWork(
  catalog: Catalog,
  { kind, options, actor }: JobRecord,
): Promise<JobWork<unknown>> {
  if (!isServerJobKind(kind)) throw refused(`there is no job of the kind ${kind}`);
  // The cast is safe, because the server has checked that the options belong to this kind.
  return toJobWork(await workByKind[kind](catalog, options as never, actor));
}
