import type { BuildProblem, BuildProgress, BuildWatch } from './build-report.ts';
import type { BuildStep, MadeStep, WriteStep } from './plan-build.ts';
import { type BuildTarget, type Content, type PlaceOptions, StepProblem } from './ports.ts';
import type { TreeFile } from './tree-file.ts';

/** The steps that an undo does not have. */
const isOfBuild: readonly BuildStep['do'][] = ['add', 'keep', 'rename'];

interface RunOptions extends BuildWatch, Pick<PlaceOptions, 'mode' | 'isVerified'> {}

/**
 * Makes the steps of a plan, one at a time. Returns the files that could not be written or removed.
 * Throws the signal's reason between two steps, or while a file is copied.
 */
export async function runSteps(
  steps: readonly BuildStep[],
  target: BuildTarget,
  options: RunOptions,
): Promise<BuildProblem[]> {
  const { signal, onProgress, isVerified } = options;
  const problems: BuildProblem[] = [];
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
      progress.bytes += bytes;
      onProgress({ ...progress, path });
    };
    try {
      await makeStep(step, target, { ...options, onBytes });
    } catch (error) {
      if (!(error instanceof StepProblem)) throw error;
      problems.push({ kind: error.kind, path, why: error.message });
    }
    progress.files += 1;
  }
  return problems;
}

function isWritten(step: BuildStep): step is WriteStep & { do: 'add' | 'replace' } {
  return step.do === 'add' || step.do === 'replace';
}

async function makeStep(step: MadeStep, target: BuildTarget, options: PlaceOptions): Promise<void> {
  switch (step.do) {
    case 'keep':
      if (step.file.kind !== 'game' || step.file.sheetNames !== null) return;
      return target.compare(step.file.path, step.file.source, options.signal);
    case 'forget':
      return target.forget(step.before.path);
    case 'remove':
      return target.remove(step.before);
    case 'rename':
      return target.rename(step.before, step.file);
    default: {
      const content = await contentOf(step.file);
      if (content === null) return; // the cover is not a picture that can be read
      const before = step.do === 'replace' ? step.before : null;
      const { path, kind, keys } = step.file;
      const list = step.file.kind === 'text' ? step.file.list : null;
      return target.place({ path, kind, keys, list }, content, before, options);
    }
  }
}

async function contentOf(file: TreeFile): Promise<Content | null> {
  if (file.kind === 'game') {
    const { source, sheetNames: names } = file;
    return names === null ? { from: 'library', source } : { from: 'sheet', source, names };
  }
  const bytes = file.kind === 'text' ? file.bytes : await file.read();
  return bytes && { from: 'memory', bytes };
}
