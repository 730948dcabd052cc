import {
  type BuildEntry,
  type FactsPrecision,
  type Found,
  haveCommonKey,
  isUnchanged,
} from './build-entry.ts';
import type { TreeFile } from './tree-file.ts';

/** The steps for a file that is in the target after the build. */
export type WriteStep =
  | { readonly do: 'add'; readonly file: TreeFile }
  | { readonly do: 'keep'; readonly file: TreeFile }
  | { readonly do: 'replace'; readonly file: TreeFile; readonly before: BuildEntry }
  | { readonly do: 'rename'; readonly file: TreeFile; readonly before: BuildEntry };

/** A step that changes the target or its journal, or keeps a file. */
export type MadeStep =
  | WriteStep
  | { readonly do: 'remove'; readonly before: BuildEntry }
  | { readonly do: 'forget'; readonly before: BuildEntry };

/** A step of a plan, or a file that the build must not touch. */
export type BuildStep =
  | MadeStep
  | { readonly do: 'conflict'; readonly path: string; readonly why: string };

/** The state of a target. */
export interface TargetState {
  /** The files that the build made, by path. */
  readonly entries: ReadonlyMap<string, BuildEntry>;
  /** The files at the paths of the tree and of the entries. */
  readonly found: ReadonlyMap<string, Found>;
  readonly precision: FactsPrecision;
  /** True if names that differ in case only are the same. */
  readonly ignoresCase: boolean;
  /** See `Journal`. */
  readonly former: ReadonlyMap<string, readonly string[]>;
  readonly lost: ReadonlySet<string>;
  /**
   * The paths of games that this host cannot read. Files of earlier builds at these paths are left
   * unchanged.
   */
  readonly lacking: readonly string[];
}

const missing: Found = { is: 'missing' };
/** The reason why a file of a build is left unchanged. */
export const changedSince = 'It was changed since the build, so it stays as it is';
/** The reason why a path gets no file of the build. */
export const foreignFile = 'A file that no build made has this name, so it stays as it is';

/**
 * Plans the steps that turn a target into this tree. Only files that the build made, and that are
 * unchanged, are renamed, replaced or removed.
 */
export function planBuild(tree: readonly TreeFile[], state: TargetState): BuildStep[] {
  const own = new Map<string, BuildEntry>();
  const gone: BuildEntry[] = [];
  const changedPaths = new Set<string>();
  const lacking = new Set(state.lacking.map((path) => nameKey(path, state.ignoresCase)));
  for (const entry of state.entries.values()) {
    const now = state.found.get(entry.path) ?? missing;
    if (now.is === 'missing') gone.push(entry);
    else if (lacking.has(nameKey(entry.path, state.ignoresCase))) continue;
    else if (now.is === 'file' && isUnchanged(entry, now.facts, state.precision)) {
      own.set(entry.path, entry);
    } else changedPaths.add(entry.path);
  }
  const { wanted, steps: conflicts } = withoutClashes(tree, state);
  const steps = writeSteps(wanted, own, { state, changedPaths, conflicts });
  const used = new Set(
    steps.flatMap((step) => (step.do === 'rename' ? [step.before] : [own.get(step.file.path)])),
  );
  const removed = [...own.values()].filter((entry) => !used.has(entry));
  const wantedPaths = new Set(wanted.map(({ path }) => path));
  const left = [...changedPaths].filter((path) => !wantedPaths.has(path));
  const lost = [...left.flatMap((path) => state.entries.get(path) ?? []), ...gone];
  return [
    ...conflicts,
    ...left.map((path) => ({ do: 'conflict' as const, path, why: changedSince })),
    ...lost.map((before) => ({ do: 'forget' as const, before })),
    ...removed.map((before) => ({ do: 'remove' as const, before })),
    ...inOrder(steps, removed),
  ];
}

/**
 * Returns the files of a tree, and conflicts for files whose path another file already has. Texts
 * come last, because they name the other files.
 */
function withoutClashes(tree: readonly TreeFile[], { ignoresCase }: TargetState) {
  const taken = new Set<string>();
  const wanted: TreeFile[] = [];
  const steps: BuildStep[] = [];
  for (const kind of ['game', 'picture', 'text']) {
    for (const file of tree) {
      if (file.kind !== kind) continue;
      const key = nameKey(file.path, ignoresCase);
      if (!taken.has(key)) wanted.push(file);
      else steps.push({ do: 'conflict', path: file.path, why: 'Another file has the same name' });
      taken.add(key);
    }
  }
  return { wanted, steps };
}

/** Returns a text that is the same for paths that lead to the same file. */
export function nameKey(path: string, ignoresCase: boolean): string {
  return ignoresCase ? path.normalize('NFC').toLowerCase() : path;
}

function writeSteps(
  wanted: readonly TreeFile[],
  own: ReadonlyMap<string, BuildEntry>,
  parts: { state: TargetState; changedPaths: ReadonlySet<string>; conflicts: BuildStep[] },
): WriteStep[] {
  const steps: WriteStep[] = [];
  const kept = new Set<BuildEntry>();
  const open: TreeFile[] = [];
  const { ignoresCase } = parts.state;
  const ownNames = new Set([...own.keys()].map((path) => nameKey(path, ignoresCase)));
  for (const file of wanted) {
    const entry = own.get(file.path);
    const found = parts.state.found.get(file.path) ?? missing;
    if (file.kind === 'text' && file.merged !== null) {
      if (entry !== undefined) kept.add(entry);
      const { path, kind, merged, list } = file;
      steps.push({ do: 'replace', file, before: { path, kind, keys: [], list, ...merged } });
    } else if (entry !== undefined && haveCommonKey(entry.keys, file.keys)) {
      kept.add(entry);
      steps.push({ do: 'keep', file });
    } else if (found.is === 'missing') open.push(file);
    else if (found.is === 'file' && ownNames.has(nameKey(file.path, ignoresCase))) open.push(file);
    else {
      const isOwn = parts.changedPaths.has(file.path);
      const why = found.is === 'blocked' ? found.why : isOwn ? changedSince : foreignFile;
      parts.conflicts.push({ do: 'conflict', path: file.path, why });
    }
  }
  const movable = new Map<string, BuildEntry[]>();
  for (const entry of own.values()) {
    // A list is never renamed, because it may have entries of a player.
    if (kept.has(entry) || entry.list !== null) continue;
    for (const key of entry.keys) movable.set(key, [...(movable.get(key) ?? []), entry]);
  }
  for (const file of open) {
    const moved = file.keys
      .flatMap((key) => movable.get(key) ?? [])
      .find((each) => !kept.has(each) && haveCommonKey(each.keys, file.keys));
    const before = own.get(file.path);
    if (moved !== undefined) {
      kept.add(moved);
      steps.push({ do: 'rename', file, before: moved });
    } else if (before !== undefined) steps.push({ do: 'replace', file, before });
    else steps.push({ do: 'add', file });
  }
  // If the former content of a replaced file is renamed, the file is added instead.
  return steps.map((step) =>
    step.do === 'replace' && kept.has(step.before) ? { do: 'add', file: step.file } : step,
  );
}

/**
 * Orders the steps, so that a name is free before another file gets it. Files that would have to
 * exchange their names are written anew instead.
 */
function inOrder(steps: readonly WriteStep[], removed: readonly BuildEntry[]): BuildStep[] {
  const taken = new Set<string>();
  for (const step of steps) if (step.do === 'rename') taken.add(step.before.path);
  for (const entry of removed) taken.delete(entry.path);
  const ordered: BuildStep[] = [];
  const waiting = new Map<string, WriteStep & { do: 'rename' }>();
  const free = (start: string) => {
    for (let path: string | undefined = start; path !== undefined; ) {
      taken.delete(path);
      const next: (WriteStep & { do: 'rename' }) | undefined = waiting.get(path);
      if (next === undefined) return;
      waiting.delete(path);
      ordered.push(next);
      path = next.before.path;
    }
  };
  for (const step of steps) {
    if (step.do !== 'rename') continue;
    if (taken.has(step.file.path)) waiting.set(step.file.path, step);
    else {
      ordered.push(step);
      free(step.before.path);
    }
  }
  const exchanged = [...waiting.values()];
  const byPath = new Map(exchanged.map(({ before }) => [before.path, before]));
  const rewritten = exchanged.map(({ file }): BuildStep => {
    const before = byPath.get(file.path);
    return before === undefined ? { do: 'add', file } : { do: 'replace', file, before };
  });
  const others = steps.filter(({ do: kind }) => kind !== 'rename');
  return [...ordered, ...sortedByKind([...rewritten, ...others])];
}

function sortedByKind(steps: readonly BuildStep[]): BuildStep[] {
  const rank = (step: BuildStep) =>
    'file' in step ? ['game', 'picture', 'text'].indexOf(step.file.kind) : -1;
  return steps.toSorted((a, b) => rank(a) - rank(b));
}
