import type { CoverFetchReport } from '../core/covers/bulk-cover-fetcher.ts';
import type { CoverBundleReport } from '../core/covers/cover-bundler.ts';
import type { CoverExtractReport } from '../core/covers/cover-extractor.ts';
import type { CoverProgress } from '../core/covers/cover-progress.ts';
import type { CoverFetchStep } from '../core/covers/searched-releases.ts';
import type { JobProgress } from '../core/jobs/job.ts';
import type { JobOptionsOf } from '../core/jobs/job-kind.ts';
import type { LibraryRoot } from '../core/library/library-file.ts';
import type { Actor } from '../core/shared/requests/actor.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

export function fetchWork(
  { bulkCoverFetcher }: Pick<Catalog, 'bulkCoverFetcher'>,
  {
    system,
    missing = false,
    removed = false,
    release_ids,
    owned = false,
  }: JobOptionsOf<'covers-fetch'>,
): Work<'covers-fetch', CoverProgress, CoverFetchReport> {
  const options = {
    system,
    releaseIds: release_ids,
    onlyMissing: missing,
    evenIfRemoved: removed,
    onlyOwned: owned,
  };
  return {
    kind: 'covers-fetch',
    run({ step, keepStep, ...watch }) {
      const onStep = (next: CoverFetchStep) => void keepStep(next);
      // The cast is safe, because only this function stores steps of this kind of job.
      const from = step as CoverFetchStep | null;
      return bulkCoverFetcher.run({ ...watch, ...options, step: from, onStep });
    },
    progressOf: (progress) => toProgress(progress, 'search', 'releases'),
  };
}

export function extractWork(
  { coverExtractor, library }: Pick<Catalog, 'coverExtractor' | 'library'>,
  roots: readonly LibraryRoot[],
  actor: Actor,
): Work<'covers-extract', CoverProgress, CoverExtractReport> {
  return {
    kind: 'covers-extract',
    async run(watch) {
      const own = await library.withoutOtherHosts(roots);
      return coverExtractor.run({ ...watch, roots: own.map(({ path }) => path) }, actor);
    },
    progressOf: (progress) => toProgress(progress, 'extract', 'images'),
  };
}

export function bundleWork(
  { coverBundler }: Pick<Catalog, 'coverBundler'>,
  { name, system }: JobOptionsOf<'covers-bundle'>,
  actor: Actor,
): Work<'covers-bundle', CoverProgress, CoverBundleReport> {
  return {
    kind: 'covers-bundle',
    run: (watch) => coverBundler.write(name, { ...watch, system }, actor),
    progressOf: (progress) => toProgress(progress, 'bundle', 'covers'),
  };
}

function toProgress<Phase extends string>(
  progress: CoverProgress,
  phase: Phase,
  unit: JobProgress['unit'],
): JobProgress & { readonly phase: Phase } {
  return { ...progress, phase, unit };
}
