import type { BuildProblem, BuildProgress, BuildWatch } from './build-report.ts';
import { withoutMissing } from './lists/without-missing.ts';
import { PlaceQueue } from './place-queue.ts';
import type { BuildStep, MadeStep, WriteStep } from './plan-build.ts';
import {
  type BuildTarget,
  type Content,
  type GameContent,
  type PlaceOptions,
  type StagedFile,
  StepProblem,
} from './ports.ts';
import type { TreeFile } from './tree-file.ts';

/** The steps that an undo does not have. */
const isOfBuild: readonly BuildStep['do'][] = ['add', 'keep', 'rename'];

interface RunOptions extends BuildWatch, Pick<PlaceOptions, 'mode' | 'isVerified'> {}

type PlaceStep = Extract<WriteStep, { do: 'add' | 'replace' }>;

/**
 * Makes the steps of a plan. Files that follow each other are written together, and all other steps
 * are made one at a time. A game that could not be added is left out of its list. Throws the
 * signal's reason between two steps, or while a file is copied. Returns:
 * - `problems`: the files that could not be written or removed.
 * - `skipped`: the paths of covers that were not written because they cannot be read.
 * - `sizes`: the sizes of lists from which games were left out, by path.
 */
export async function runSteps(
  steps: readonly BuildStep[],
  target: BuildTarget,
  options: RunOptions,
): Promise<{ problems: BuildProblem[]; skipped: Set<string>; sizes: Map<string, number> }> {
  const { signal, onProgress, isVerified } = options;
  const problems: BuildProblem[] = [];
  const skipped = new Set<string>();
  const sizes = new Map<string, number>();
  const made = steps.filter(
    (step): step is MadeStep => step.do !== 'conflict' && (step.do !== 'keep' || isVerified),
  );
  let progress: BuildProgress = {
    phase: steps.some(({ do: kind }) => isOfBuild.includes(kind)) ? 'build' : 'undo',
    files: 0,
    totalFiles: made.length,
    bytes: 0,
    totalBytes: made.reduce((sum, step) => sum + (isWritten(step) ? step.file.size : 0), 0),
    path: '',
  };
  const added = new Set(made.flatMap((step) => (step.do === 'add' ? [step.file.path] : [])));
  const missing = new Set<string>();
  const onProblem = (path: string, { kind, message }: StepProblem) => {
    problems.push({ kind, path, why: message });
    if (kind === 'failed' && added.has(path)) missing.add(path);
  };
  const queue = new PlaceQueue(target, signal, onProblem);
  try {
    for (const [index, step] of made.entries()) {
      signal.throwIfAborted();
      const { path } = 'file' in step ? step.file : step.before;
      progress = { ...progress, files: index, path };
      onProgress(progress);
      const onBytes = (bytes: number) => {
        // The size of a picture is not known in advance, so the total does not count it.
        const isCounted = isWritten(step) && step.file.kind !== 'picture';
        const counted = isCounted ? bytes : 0;
        // Several files are written at the same time, so report the path to which these bytes
        // belong.
        progress = { ...progress, path, bytes: progress.bytes + counted };
        onProgress(progress);
      };
      if (isWritten(step)) {
        // Lists come after all games.
        if (isList(step.file)) await queue.flush();
        const placed = { ...step, file: withoutMissing(step.file, missing) };
        if (placed.file !== step.file) sizes.set(path, placed.file.size);
        const stage = async (stopped: AbortSignal) => {
          const staged = await stageStep(placed, target, { ...options, signal: stopped, onBytes });
          if (staged === null) skipped.add(path);
          return staged;
        };
        await queue.add({ path, size: step.file.size, isSerial: isPacked(step), stage });
        continue;
      }
      if (step.do !== 'keep' || isPacked(step)) await queue.flush();
      try {
        await makeStep(step, target, options);
      } catch (error) {
        if (!(error instanceof StepProblem)) throw error;
        onProblem(path, error);
      }
    }
    await queue.flush();
  } catch (error) {
    await queue.stop();
    throw error;
  }
  return { problems, skipped, sizes };
}

function isWritten(step: BuildStep): step is PlaceStep {
  return step.do === 'add' || step.do === 'replace';
}

function isList(file: TreeFile): boolean {
  return file.kind === 'text' && file.list !== null;
}

/** Returns true if the file is in an archive. The files of an archive are unpacked in one pass. */
function isPacked(step: MadeStep): boolean {
  return 'file' in step && step.file.kind === 'game' && step.file.packed !== null;
}

/** Returns null if there is nothing to write. */
async function stageStep(
  step: PlaceStep,
  target: BuildTarget,
  options: PlaceOptions,
): Promise<StagedFile | null> {
  const content = await contentOf(step.file);
  if (content === null) return null;
  const before = step.do === 'replace' ? step.before : null;
  const { path, kind, keys } = step.file;
  const list = step.file.kind === 'text' ? step.file.list : null;
  return target.stage({ path, kind, keys, list }, content, before, options);
}

async function makeStep(
  step: Exclude<MadeStep, PlaceStep>,
  target: BuildTarget,
  options: RunOptions,
): Promise<void> {
  switch (step.do) {
    case 'keep':
      return compare(step.file, target, options);
    case 'forget':
      return target.forget(step.before.path);
    case 'remove':
      return target.remove(step.before);
    case 'rename':
      await target.rename(step.before, step.file);
      if (options.isVerified) await compare(step.file, target, options);
  }
}

async function compare(file: TreeFile, target: BuildTarget, { signal }: RunOptions): Promise<void> {
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
