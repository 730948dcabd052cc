import type { BuildProblem, BuildProgress, BuildWatch } from './build-report.ts';
import type { BuildStep, MadeStep, WriteStep } from './plan-build.ts';
import {
  type BuildTarget,
  type Content,
  type GameContent,
  type PlaceOptions,
  StepProblem,
} from './ports.ts';
import type { TreeFile } from './tree-file.ts';

/** The steps that an undo does not have. */
const isOfBuild: readonly BuildStep['do'][] = ['add', 'keep', 'rename'];

interface RunOptions extends BuildWatch, Pick<PlaceOptions, 'mode' | 'isVerified'> {}

/**
 * Makes the steps of a plan, one at a time. Returns the files that could not be written or removed.
 * `skipped` are covers that cannot be read and so are not written. Throws the signal's reason
 * between two steps, or while a file is copied.
 */
export async function runSteps(
  steps: readonly BuildStep[],
  target: BuildTarget,
  options: RunOptions,
): Promise<{ problems: BuildProblem[]; skipped: Set<string> }> {
  const { signal, onProgress, isVerified } = options;
  const problems: BuildProblem[] = [];
  const skipped = new Set<string>();
  const made = steps.filter(
    (step): step is MadeStep => step.do !== 'conflict' && (step.do !== 'keep' || isVerified),
  );
  const progress = {
    phase: steps.some(({ do: kind }) => isOfBuild.includes(kind)) ? 'build' : 'undo',
    files: 0,
    totalFiles: made.length,
    bytes: 0,
    totalBytes: made.reduce((sum, step) => sum + (isWritten(step) ? step.file.size : 0), 0),
    path: '',
  } satisfies BuildProgress;
  for (const step of made) {
    signal.throwIfAborted();
    const { path } = 'file' in step ? step.file : step.before;
    onProgress({ ...progress, path });
    const onBytes = (bytes: number) => {
      // The size of a picture is not known before, so the total does not count it.
      if (isWritten(step) && step.file.kind !== 'picture') progress.bytes += bytes;
      onProgress({ ...progress, path });
    };
    try {
      const isMade = await makeStep(step, target, { ...options, onBytes });
      if (!isMade) skipped.add(path);
    } catch (error) {
      if (!(error instanceof StepProblem)) throw error;
      problems.push({ kind: error.kind, path, why: error.message });
    }
    progress.files += 1;
  }
  return { problems, skipped };
}

function isWritten(step: BuildStep): step is WriteStep & { do: 'add' | 'replace' } {
  return step.do === 'add' || step.do === 'replace';
}

/** Returns false if there is nothing to write. */
async function makeStep(
  step: MadeStep,
  target: BuildTarget,
  options: PlaceOptions,
): Promise<boolean> {
  switch (step.do) {
    case 'keep':
      await compare(step.file, target, options);
      return true;
    case 'forget':
      await target.forget(step.before.path);
      return true;
    case 'remove':
      await target.remove(step.before);
      return true;
    case 'rename':
      await target.rename(step.before, step.file);
      if (options.isVerified) await compare(step.file, target, options);
      return true;
    default: {
      const content = await contentOf(step.file);
      if (content === null) return false;
      const before = step.do === 'replace' ? step.before : null;
      const { path, kind, keys } = step.file;
      const list = step.file.kind === 'text' ? step.file.list : null;
      await target.place({ path, kind, keys, list }, content, before, options);
      return true;
    }
  }
}

async function compare(
  file: TreeFile,
  target: BuildTarget,
  { signal }: PlaceOptions,
): Promise<void> {
  if (file.kind === 'game') await target.compare(file.path, gameContent(file), signal);
}

function gameContent({
  source,
  sheetNames: names,
  packed,
}: TreeFile & { kind: 'game' }): GameContent {
  if (packed !== null) return { from: 'archive', source, ...packed };
  return names === null ? { from: 'library', source } : { from: 'sheet', source, names };
}

async function contentOf(file: TreeFile): Promise<Content | null> {
  if (file.kind === 'game') return gameContent(file);
  const bytes = file.kind === 'text' ? file.bytes : await file.read();
  return bytes && { from: 'memory', bytes };
}
