import type { CoverBundleReport } from '../core/covers/cover-bundler.ts';
import type { CoverExtractReport } from '../core/covers/cover-extractor.ts';
import type { CoverFetchReport } from '../core/covers/cover-fetcher.ts';
import type { CoverProgress } from '../core/covers/cover-progress.ts';
import type { JobProgress } from '../core/jobs/job.ts';
import type { LibraryRoot } from '../core/library/library-file.ts';
import type { Actor } from '../core/shared/requests/actor.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

/** Options of a `covers-fetch` job, named as in the API. */
export interface FetchJobOptions {
  readonly system?: string | undefined;
  readonly missing?: boolean | undefined;
  readonly removed?: boolean | undefined;
  readonly release_ids?: readonly number[];
}

export interface BundleJobOptions {
  readonly name: string;
  readonly system?: string | undefined;
}

export function fetchWork(
  { coverFetcher }: Pick<Catalog, 'coverFetcher'>,
  { system, missing = false, removed = false, release_ids }: FetchJobOptions,
): Work<CoverProgress, CoverFetchReport> {
  const options = {
    system,
    releaseIds: release_ids,
    onlyMissing: missing,
    evenIfRemoved: removed,
  };
  return {
    run: (watch) => coverFetcher.run({ ...watch, ...options }),
    progressOf: (progress) => toProgress(progress, 'search', 'releases'),
  };
}

export function extractWork(
  { coverExtractor, library }: Pick<Catalog, 'coverExtractor' | 'library'>,
  roots: readonly LibraryRoot[],
  actor: Actor,
): Work<CoverProgress, CoverExtractReport> {
  return {
    async run(watch) {
      const own = await library.withoutOthers(roots);
      return coverExtractor.run({ ...watch, roots: own.map(({ path }) => path) }, actor);
    },
    progressOf: (progress) => toProgress(progress, 'extract', 'images'),
  };
}

export function bundleWork(
  { coverBundler }: Pick<Catalog, 'coverBundler'>,
  { name, system }: BundleJobOptions,
  actor: Actor,
): Work<CoverProgress, CoverBundleReport> {
  return {
    run: (watch) => coverBundler.write(name, { ...watch, system }, actor),
    progressOf: (progress) => toProgress(progress, 'bundle', 'covers'),
  };
}

function toProgress(
  progress: CoverProgress,
  phase: string,
  unit: JobProgress['unit'],
): JobProgress {
  return { ...progress, phase, unit };
}
