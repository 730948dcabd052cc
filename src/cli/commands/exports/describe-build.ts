import {
  type BuildProblem,
  type BuildReport,
  type StepKind,
  stepKinds,
  type UndoReport,
} from '../../../core/builds/build-report.ts';
import { print, printError, printRow } from '../../output/output.ts';

/** The words for a step before and after it was made. */
const words: Readonly<Record<StepKind, readonly [before: string, after: string]>> = {
  add: ['add', 'added'],
  replace: ['replace', 'replaced'],
  rename: ['rename', 'renamed'],
  keep: ['keep', 'kept'],
  remove: ['remove', 'removed'],
};

interface Shown {
  readonly dryRun?: boolean;
}

/**
 * Prints what a build did, or with `dryRun` would do. Prints the files with problems to standard
 * error.
 */
export function printBuild(report: BuildReport, { dryRun }: Shown): void {
  const { target, steps, problems, leftOut, missing, bytes, freeBytes, lackingBytes } = report;
  if (dryRun) {
    for (const { step, path, from } of steps) {
      if (step !== 'keep') printRow(step, from === undefined ? path : `${from} -> ${path}`);
    }
  }
  printProblems(problems);
  const counts = countsOf(report).map(
    ([kind, count]) => [words[kind][dryRun ? 0 : 1], count] as const,
  );
  const conflicts = problems.filter(({ kind }) => kind === 'conflict').length;
  const all = [...counts, ['in conflict', conflicts], ['failed', problems.length - conflicts]];
  const shown = all.flatMap(([word, count]) => (count === 0 ? [] : [`${word} ${count}`]));
  print(`${target}: ${shown.length === 0 ? 'no files' : shown.join(', ')}`);
  if (dryRun) print(`${bytes} bytes to write, ${freeBytes} bytes free`);
  if (lackingBytes > 0) printError(`${target} lacks ${lackingBytes} bytes for the build`);
  if (leftOut.length > 0) {
    print(`the device cannot open ${leftOut.length} files; --json lists them with the reasons`);
    const packed = leftOut.filter(({ isUnpackable }) => isUnpackable).length;
    if (packed > 0) print(`it can open what is in ${packed} of them: build with --unpack`);
  }
  if (missing > 0) print(`${missing} releases of the set are not in the library`);
}

/** Counts the steps of each kind, without the steps that failed. */
function countsOf({ steps, problems }: BuildReport): [StepKind, number][] {
  const failed = new Set(problems.map(({ path }) => path));
  const made = steps.filter(({ path }) => !failed.has(path));
  return stepKinds.map((kind) => [kind, made.filter(({ step }) => step === kind).length]);
}

/** Returns a report in the form that `--json` prints. */
export function buildJson(report: BuildReport, { dryRun = false }: { dryRun?: boolean }): object {
  const { target, steps, bytes, freeBytes, lackingBytes, problems, leftOut, missing } = report;
  return {
    target,
    dry_run: dryRun,
    counts: Object.fromEntries(countsOf(report)),
    bytes,
    free_bytes: freeBytes,
    lacking_bytes: lackingBytes,
    steps,
    problems,
    left_out: leftOut.map(({ releaseId, isUnpackable, why, ...one }) => ({
      ...one,
      why: isUnpackable ? `${why}: build with --unpack` : why,
      release_id: releaseId,
    })),
    not_in_library: missing,
  };
}

/**
 * Prints what an undo did, or with `isPreview` would do. Prints the files that stay to standard
 * error.
 */
export function printUndo(
  { target, removed, stripped, left }: UndoReport,
  { isPreview }: { isPreview: boolean },
): void {
  if (isPreview) for (const path of removed) printRow('remove', path);
  for (const path of stripped) print(`${path}: keeps only what the device wrote`);
  printProblems(left);
  const verb = isPreview ? 'remove' : 'removed';
  print(`${target}: ${verb} ${removed.length} files, ${left.length} changed files stay`);
}

function printProblems(problems: readonly BuildProblem[]): void {
  if (problems.length === 0) return;
  printError(...problems.map(({ path, kind, why }) => `${path}: ${kind}: ${why}`));
}
