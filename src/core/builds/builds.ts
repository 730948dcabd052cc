import { insufficientStorage, refused } from '../shared/errors.ts';
import type {
  BuildProblem,
  BuildReport,
  BuildWatch,
  ShownStep,
  StepKind,
  UndoReport,
} from './build-report.ts';
import { formerPaths } from './lists/listed-files.ts';
import { planUndo, planWithLists } from './lists/plan-lists.ts';
import type { BuildStep } from './plan-build.ts';
import type {
  BuildMode,
  BuildTarget,
  BuildTargets,
  LeftOutFile,
  LibrarySources,
  ReadTree,
} from './ports.ts';
import { readTreeFiles } from './read-tree-files.ts';
import { runSteps } from './run-steps.ts';

export interface BuildRequest {
  readonly set: { readonly id: number; readonly name: string };
  /** The id of a profile. */
  readonly profile: string;
  readonly readTree: ReadTree;
  readonly countMissing: () => Promise<number>;
  /** The folder to build in. */
  readonly target: string;
  readonly mode: BuildMode;
  /** True if the folder may have files that no build made. */
  readonly isAdopted: boolean;
  /** True to compare each game with its source. */
  readonly isVerified: boolean;
  /** Called before a build writes its first file. */
  readonly onBegin?: () => Promise<void>;
}

interface Plan {
  readonly steps: readonly BuildStep[];
  readonly problems: BuildProblem[];
  readonly report: BuildReport;
}

/** Builds trees of a set's games in folders, and removes them again. */
export class Builds {
  readonly #sources: LibrarySources;
  readonly #targets: BuildTargets;

  constructor(parts: { sources: LibrarySources; targets: BuildTargets }) {
    this.#sources = parts.sources;
    this.#targets = parts.targets;
  }

  /** Returns the report of a build, and writes nothing. Throws the same errors as `build`. */
  async preview(request: BuildRequest, { signal }: Pick<BuildWatch, 'signal'>) {
    const { target: folder, isAdopted } = request;
    const target = await this.#targets.open(folder, { mayWrite: false, isAdopted });
    return (await this.#plan(request, target, signal)).report;
  }

  /**
   * Builds the tree of a set, and changes only what differs from the last build in the same folder.
   * An interrupted build continues. Throws `no such profile`, refused() if the folder must not be
   * used or has too little room, and `insufficient storage` if it becomes full.
   */
  async build(request: BuildRequest, watch: BuildWatch): Promise<BuildReport> {
    const { target: folder, isAdopted, mode, isVerified } = request;
    const target = await this.#targets.open(folder, { mayWrite: true, isAdopted });
    try {
      const { steps, report } = await this.#plan(request, target, watch.signal);
      refuseLackOfRoom(report);
      const { id: setId, name: set } = request.set;
      await target.begin({ setId, set, profile: request.profile });
      await request.onBegin?.();
      const run = await runSteps(steps, target, { ...watch, mode, isVerified });
      const { problems, skipped, sizes } = run;
      const wanted = steps.flatMap((step) => ('file' in step ? [step.file.path] : []));
      const needed = new Set(wanted.flatMap(foldersOf));
      await target.removeFolders((path) => needed.has(path));
      const unmade = new Set([...skipped, ...problems.map(({ path }) => path)]);
      const isMade = (path: string, kind: string) => kind === 'keep' || !unmade.has(path);
      const made = steps
        .filter((step) => isMade(pathOf(step), step.do))
        .map((step) => withSize(step, sizes));
      const shownSteps = report.steps.filter(({ step, path }) => isMade(path, step));
      return {
        ...report,
        steps: shownSteps.map((step) => ({ ...step, size: sizes.get(step.path) ?? step.size })),
        bytes: (await bytesOf(made, target, request.mode)).written,
        problems: [...report.problems, ...problems],
      };
    } finally {
      await target.close();
    }
  }

  /**
   * Removes the files of the builds in a folder, and the folders that they made. Changed files are
   * not removed. If the folder has no journal of a build, calls `onNone` and throws refused().
   */
  async undo(
    folder: string,
    {
      isPreview,
      onNone,
      ...watch
    }: BuildWatch & { readonly isPreview: boolean; readonly onNone?: () => Promise<void> },
  ): Promise<UndoReport> {
    const opened = await this.#targets.open(folder, { mayWrite: false, isAdopted: true });
    if (!opened.hasJournal) {
      await onNone?.();
      throw refused(`${opened.folder} has no journal of a build`);
    }
    const target = isPreview
      ? opened
      : await this.#targets.open(folder, { mayWrite: true, isAdopted: true });
    try {
      const steps = await planUndo(await stateOf(target, []), target);
      const stripped = steps.flatMap((step) => (step.do === 'replace' ? [step.file.path] : []));
      const removed = steps.flatMap((step) => (step.do === 'remove' ? [step.before.path] : []));
      const left = problemsOf(steps);
      if (isPreview) return { target: target.folder, removed, stripped, left };
      const options = { ...watch, mode: 'copy' as const, isVerified: false };
      const { problems } = await runSteps(steps, target, options);
      await target.removeFolders(() => false);
      // If a file could not be removed, the journal must still name it.
      if (!problems.some(({ kind }) => kind === 'failed')) await target.reset();
      const stayed = new Set(problems.map(({ path }) => path));
      return {
        target: target.folder,
        removed: removed.filter((path) => !stayed.has(path)),
        stripped: stripped.filter((path) => !stayed.has(path)),
        left: [...left, ...problems],
      };
    } finally {
      await target.close();
    }
  }

  async #plan(request: BuildRequest, target: BuildTarget, signal: AbortSignal): Promise<Plan> {
    refuseOtherTree(request, target);
    const leftOut: LeftOutFile[] = [];
    const parts = request.readTree({
      profile: request.profile,
      fileSystem: target.fileSystem,
      onLeftOut: (one) => void leftOut.push(one),
    });
    const { files, problems, lacking } = await readTreeFiles(parts, this.#sources, signal);
    const paths = files.map(({ path }) => path);
    const state = await stateOf(target, paths, lacking);
    const steps = await planWithLists(files, state, target);
    const bytes = await bytesOf(steps, target, request.mode);
    const report: BuildReport = {
      target: target.folder,
      steps: steps.flatMap(shown),
      bytes: bytes.written,
      freeBytes: target.freeBytes,
      lackingBytes: Math.max(bytes.needed - target.freeBytes, 0),
      problems: [...problems, ...problemsOf(steps)],
      leftOut,
      missing: await request.countMissing(),
    };
    return { steps, problems, report };
  }
}

/**
 * Throws refused() if the folder has the tree of another set or profile, because a build would
 * remove that tree.
 */
function refuseOtherTree({ set, profile }: BuildRequest, { folder, journal }: BuildTarget): void {
  const { header, entries } = journal;
  if (header === null || entries.size === 0) return;
  // Compare the name too. The folder may come from another catalogue, where another set has this
  // id.
  const isSame = header.setId === set.id && header.set === set.name;
  if (isSame && header.profile === profile) return;
  throw refused(
    `${folder} has the tree of the set "${header.set}" for ${header.profile}: choose another folder, or undo that build first`,
  );
}

function refuseLackOfRoom({ target, freeBytes, lackingBytes }: BuildReport): void {
  if (lackingBytes === 0) return;
  throw refused(
    `${target} has ${freeBytes} bytes free, and the build needs ${lackingBytes} bytes more`,
    insufficientStorage(),
  );
}

async function stateOf(
  target: BuildTarget,
  paths: readonly string[],
  lacking: readonly string[] = [],
) {
  const { entries, former, lost } = target.journal;
  const state = { entries: new Map(entries), former: new Map(former), lost: new Set(lost) };
  return {
    ...state,
    lacking,
    found: await target.readStates(new Set([...paths, ...entries.keys(), ...formerPaths(state)])),
    precision: target.precision,
    ignoresCase: target.ignoresCase,
  };
}

/**
 * Returns the number of bytes that the steps write (`written`), and the space that they take
 * (`needed`). Removing a file may free no space if it shares blocks. So removed bytes count only if
 * no file shares blocks.
 */
async function bytesOf(steps: readonly BuildStep[], target: BuildTarget, mode: BuildMode) {
  const shared = new Map<string, boolean>();
  for (const step of steps) {
    if (!('file' in step) || step.file.kind !== 'game') continue;
    const { root } = step.file.source;
    if (!shared.has(root)) shared.set(root, await target.sharesBlocks(mode, root));
  }
  const maySave = ![...shared.values()].includes(true);
  let written = 0;
  let removed = 0;
  for (const step of steps) {
    if (step.do === 'add' || step.do === 'replace') {
      const { file } = step;
      const isShared = file.kind === 'game' && file.packed === null;
      const isCopied = !isShared || !shared.get(file.source.root);
      if (isCopied) written += file.size;
    }
    if (step.do === 'remove' && maySave) removed += step.before.size;
  }
  return { written, needed: written - removed };
}

/** Returns a step with the actual size of its file, which may differ from the planned size. */
function withSize(step: BuildStep, sizes: ReadonlyMap<string, number>): BuildStep {
  if (!('file' in step)) return step;
  const size = sizes.get(step.file.path);
  return size === undefined ? step : { ...step, file: { ...step.file, size } };
}

function pathOf(step: BuildStep): string {
  if ('file' in step) return step.file.path;
  return 'before' in step ? step.before.path : step.path;
}

function problemsOf(steps: readonly BuildStep[]): BuildProblem[] {
  return steps.flatMap((step) =>
    step.do === 'conflict' ? [{ kind: 'conflict', path: step.path, why: step.why }] : [],
  );
}

function shown(step: BuildStep): ShownStep[] {
  if (step.do === 'conflict' || step.do === 'forget') return [];
  if (step.do === 'remove') return [{ step: 'remove', ...pathAndSize(step.before) }];
  const one: { step: StepKind } = { step: step.do };
  if (step.do !== 'rename') return [{ ...one, ...pathAndSize(step.file) }];
  return [{ ...one, from: step.before.path, ...pathAndSize(step.file) }];
}

function pathAndSize({ path, size }: { path: string; size: number }) {
  return { path, size };
}

/** Returns the folders above a path. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    folders.push(path.slice(0, end));
  }
  return folders;
}
