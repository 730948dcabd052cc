import type {
  BuildProblem,
  BuildProgress,
  BuildReport,
  StepKind,
  UndoReport,
} from '../core/builds/build-report.ts';
import type { BuildRequest } from '../core/builds/builds.ts';
import type { ReadTree } from '../core/builds/ports.ts';
import type { JobProgress } from '../core/jobs/job.ts';
import type { JobOptionsOf, JobReportOf } from '../core/jobs/job-kind.ts';
import { waitOutBusy } from '../core/jobs/wait-out-busy.ts';
import { busy, CatalogError, refused } from '../core/shared/errors.ts';
import type { Actor } from '../core/shared/requests/actor.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

type BuildKind = 'build' | 'build-preview';
type Parts = Pick<Catalog, 'builds' | 'exports' | 'releases' | 'sets' | 'targets'>;

/**
 * A report, with the names of the set, the profile and the target. Users know the target by its
 * name, not by its folder.
 */
interface NamedReport {
  readonly report: BuildReport;
  readonly set: string;
  readonly profile: string;
  readonly target: string;
}

/** The work of a build or of its preview. */
type BuildWork<Kind extends BuildKind> = Omit<
  Required<Work<BuildKind, BuildProgress | null, NamedReport>>,
  'kind'
> & { readonly kind: Kind };

/**
 * Returns the work that builds the tree of a set in a target, or that only plans the tree. The
 * progress is null while the tree is planned. After an interruption, the next attempt continues
 * from the journal in the target.
 */
export function buildWork<Kind extends BuildKind>(
  { builds, exports, releases, sets, targets }: Parts,
  kind: Kind,
  { set: id, profile, target, adopt = false, unpack = false }: JobOptionsOf<BuildKind>,
  actor: Actor,
): BuildWork<Kind> {
  const viewer = actor.kind === 'user' ? { userId: actor.userId } : 'everybody';
  return {
    kind,
    async run({ signal, onProgress }) {
      onProgress(null);
      const folder = await targets.getFolder(target);
      const { name } = await sets.get(id, viewer).catch((error: unknown) => {
        const isUnknown = error instanceof CatalogError && error.kind === 'not-found';
        throw isUnknown ? refused(`there is no set ${id} any more`) : error;
      });
      const set = releases.openSet(name, await sets.select(`${id}`, viewer));
      const tree = { setId: id, set: name, profile, unpacks: unpack };
      const readTree: ReadTree = (options) => exports.tree({ set, unpacks: unpack, ...options });
      const request: BuildRequest = {
        set: { id, name },
        ...{ profile, target: folder, isAdopted: adopt, isVerified: false },
        mode: 'auto',
        readTree,
        countMissing: () => set.countMissing(),
        onBegin: () => targets.recordBegin(target, tree),
      };
      if (kind === 'build-preview') {
        const report = await builds.preview(request, { signal });
        return { report, set: name, profile, target };
      }
      const report = await builds.build(request, { signal, onProgress }).catch(toBusyIfInUse);
      // Wait until the database is no longer busy. If the job ran again instead, its report would
      // say that all files were kept.
      await waitOutBusy(() => targets.recordBuild(target, tree, report), signal);
      return { report, set: name, profile, target };
    },
    progressOf: (progress) => {
      if (progress === null) return { phase: 'plan', done: 0, total: 0, unit: 'files', name: '' };
      return { ...amountOf(progress), phase: 'build' };
    },
    toStoredReport,
  };
}

/** Returns the work that removes what the builds in a target made. */
export function undoWork(
  { builds, targets }: Pick<Catalog, 'builds' | 'targets'>,
  { target }: JobOptionsOf<'build-undo'>,
): Required<Work<'build-undo', BuildProgress, UndoReport>> {
  return {
    kind: 'build-undo',
    async run(watch) {
      const folder = await targets.getFolder(target);
      const report = await builds
        .undo(folder, {
          ...watch,
          isPreview: false,
          onNone: () => targets.recordUndo(target),
        })
        .catch(toBusyIfInUse);
      // If a file could not be removed, the target still contains a part of the build.
      const isUndone = !report.left.some(({ kind }) => kind === 'failed');
      if (isUndone) await waitOutBusy(() => targets.recordUndo(target), watch.signal);
      return report;
    },
    progressOf: (progress) => ({ ...amountOf(progress), phase: 'undo' }),
    toStoredReport: ({ removed, stripped, left }) => ({
      target,
      deleted: removed.map((path) => ({ path })),
      stripped: stripped.map((path) => ({ path })),
      left: problemsOf('conflict', left),
      undeleted: problemsOf('failed', left),
    }),
  };
}

/**
 * Throws busy() if another process uses the folder, so that the job tries again. Throws any other
 * error unchanged.
 */
function toBusyIfInUse(error: unknown): never {
  const isInUse = error instanceof CatalogError && error.kind === 'refused' && error.retryAfter;
  throw isInUse ? busy(error, error.message) : error;
}

/** Returns the progress in bytes if the work writes any, else in files. */
function amountOf({
  files,
  totalFiles,
  bytes,
  totalBytes,
  path,
}: BuildProgress): Omit<JobProgress, 'phase'> {
  if (totalBytes === 0) return { done: files, total: totalFiles, unit: 'files', name: path };
  return { done: bytes, total: totalBytes, unit: 'bytes', name: path };
}

function toStoredReport({ report, ...names }: NamedReport): JobReportOf<BuildKind> {
  const { bytes, freeBytes, lackingBytes, missing: notInLibrary, problems } = report;
  const stepsOf = (kind: StepKind) =>
    report.steps.flatMap(({ step, ...rest }) => (step === kind ? [rest] : []));
  return {
    ...names,
    ...{ bytes, freeBytes, lackingBytes, notInLibrary },
    add: stepsOf('add'),
    replace: stepsOf('replace'),
    rename: stepsOf('rename'),
    keep: stepsOf('keep'),
    remove: stepsOf('remove'),
    conflicts: problemsOf('conflict', problems),
    unwritten: problemsOf('failed', problems),
    leftOut: report.leftOut.map(({ file, why, isUnpackable, ...rest }) => ({
      path: file,
      reason: isUnpackable ? `${why}, but can open what is in it` : why,
      ...rest,
    })),
  };
}

function problemsOf(kind: BuildProblem['kind'], problems: readonly BuildProblem[]) {
  return problems.flatMap((each) =>
    each.kind === kind ? [{ path: each.path, reason: each.why }] : [],
  );
}
