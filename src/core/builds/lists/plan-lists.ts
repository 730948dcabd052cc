import { type BuildEntry, type FileFacts, isUnchanged, type ListRecord } from '../build-entry.ts';
import { type BuildStep, nameKey, planBuild, type TargetState } from '../plan-build.ts';
import type { BuildTarget } from '../ports.ts';
import type { TreeFile } from '../tree-file.ts';
import type { OwnFiles } from './list-form.ts';
import { listMergings } from './list-mergings.ts';
import { listedFiles, ownPaths } from './listed-files.ts';

type TextFile = TreeFile & { readonly kind: 'text' };

const tooLarge = 'It is too large for a list, so it stays as it is';

/** A list that cannot be merged. */
interface Unreadable {
  /** A sentence. */
  readonly unreadable: string;
}

/**
 * Plans a build, and merges each list of games with the existing list. An existing list that cannot
 * be read becomes a conflict. If a list no longer belongs to the tree, the part that the build
 * wrote is removed from it.
 */
export async function planWithLists(
  tree: readonly TreeFile[],
  state: TargetState,
  target: BuildTarget,
): Promise<BuildStep[]> {
  const steps = planBuild(tree, state);
  const isOwn = ownPaths(state);
  const merged = new Map<TreeFile, TextFile>();
  const unreadable = new Map<string, string>();
  for (const file of tree) {
    if (file.kind !== 'text' || file.list === null) continue;
    const one = await mergedFile(file, { steps, state, target, isOwn });
    if (one === null) continue;
    if ('unreadable' in one) unreadable.set(file.path, one.unreadable);
    else merged.set(file, one);
  }
  const all = tree.map((file) => merged.get(file) ?? file);
  const planned = merged.size === 0 ? steps : planBuild(all, state);
  const paths = new Set(tree.map(({ path }) => path));
  return withStripped(withConflicts(planned, unreadable), state, target, paths);
}

/** Replaces the steps of lists that cannot be read by conflicts. */
function withConflicts(
  steps: readonly BuildStep[],
  unreadable: ReadonlyMap<string, string>,
): readonly BuildStep[] {
  if (unreadable.size === 0) return steps;
  const conflicts = [...unreadable].map(
    ([path, why]): BuildStep => ({ do: 'conflict', path, why }),
  );
  return [...conflicts, ...steps.filter((step) => !unreadable.has(pathOf(step)))];
}

/**
 * Merges a list with the existing list. Returns null if there is no existing list, or if it
 * contains only what the build wrote.
 */
async function mergedFile(
  file: TextFile,
  parts: {
    steps: readonly BuildStep[];
    state: TargetState;
    target: BuildTarget;
    isOwn: (path: string) => boolean;
  },
): Promise<TextFile | Unreadable | null> {
  const { steps, state, target, isOwn } = parts;
  const found = state.found.get(file.path);
  const entry = state.entries.get(file.path);
  if (found?.is !== 'file' || file.list === null || isPure(entry, found, state)) return null;
  const merging = listMergings[file.list.form];
  const bytes = await target.readList(file.path, merging.maxBytes);
  if (bytes === null) return { unreadable: tooLarge };
  const present = textOf(bytes);
  const files = listedFiles(steps, { ...state, isOwn }, file.list.tree);
  const next = {
    text: Buffer.from(file.bytes).toString(),
    names: file.list.names,
    earlierNames: entry?.list?.names ?? [],
  };
  const merged = present === null ? null : merging.merge(present, next, files);
  if (merged === null) return { unreadable: merging.unreadable(bytes) };
  const { text, names } = merged;
  const isSame = text === present && entry !== undefined && isUnchangedEntry(entry, found, state);
  // The keys of its entry make the plan keep the list, which is the same.
  if (isSame) return { ...file, keys: entry.keys };
  const written = Buffer.from(text);
  const isForeign = entry === undefined || (entry.list?.isForeign ?? false);
  const list = { ...file.list, names, isMerged: true, isForeign };
  return { ...file, bytes: written, size: written.length, list, merged: found.facts };
}

/** Returns true for a list that contains only what the build wrote. */
function isPure(
  entry: BuildEntry | undefined,
  found: Parameters<typeof isUnchangedEntry>[1],
  state: TargetState,
): boolean {
  if (entry === undefined || entry.list === null || entry.list.isMerged) return false;
  return isUnchangedEntry(entry, found, state);
}

function isUnchangedEntry(
  entry: BuildEntry,
  { facts }: { readonly facts: Pick<BuildEntry, 'size' | 'mtimeNs' | 'inode'> },
  { precision }: TargetState,
): boolean {
  return isUnchanged(entry, facts, precision);
}

/**
 * Plans an undo. If a player changed a list of games, the part that the build wrote is removed from
 * it. The list itself is removed if nothing is left and the build created the list.
 */
export function planUndo(state: TargetState, target: BuildTarget): Promise<BuildStep[]> {
  return withStripped(planBuild([], state), state, target, new Set());
}

/**
 * Replaces the steps of lists that no longer belong to the tree. These steps come last, because
 * writing a list may need the space that removed games free.
 */
async function withStripped(
  steps: readonly BuildStep[],
  state: TargetState,
  target: BuildTarget,
  wantedPaths: ReadonlySet<string>,
): Promise<BuildStep[]> {
  const isOwn = ownPaths(state);
  const last: BuildStep[] = [];
  const stripped = new Set<string>();
  for (const entry of state.entries.values()) {
    if (entry.list === null || wantedPaths.has(entry.path)) continue;
    const found = state.found.get(entry.path);
    if (found?.is !== 'file' || isPure(entry, found, state)) continue;
    stripped.add(entry.path);
    last.push(...(await strippedList({ ...entry, list: entry.list }, found.facts, target, isOwn)));
  }
  return [...steps.filter((step) => !stripped.has(pathOf(step))), ...last];
}

async function strippedList(
  entry: BuildEntry & { readonly list: ListRecord },
  facts: FileFacts,
  target: BuildTarget,
  isOwn: (path: string) => boolean,
): Promise<BuildStep[]> {
  const { path, list } = entry;
  const merging = listMergings[list.form];
  const found = await target.readList(path, merging.maxBytes);
  const present = found === null ? null : textOf(found);
  const files: OwnFiles = {
    isOwn: (name) => isOwn(`${list.tree}/${name}`),
    key: (name) => nameKey(name, target.ignoresCase),
  };
  const rest = present === null ? null : merging.strip(present, list.names, files);
  const forget: BuildStep = { do: 'forget', before: entry };
  if (rest === null) {
    const why = found === null ? tooLarge : merging.unreadable(found);
    return [{ do: 'conflict', path, why }, forget];
  }
  const before = { ...entry, ...facts };
  if (rest.isEmpty && !list.isForeign) return [{ do: 'remove', before }];
  if (rest.text === present) return [forget];
  const bytes = Buffer.from(rest.text);
  const file: TextFile = {
    ...{ kind: 'text', path, keys: [], size: bytes.length, bytes, merged: null },
    // The rest belongs to the player. If this run is interrupted, the next run must not remove it.
    list: { ...list, isMerged: true, isForeign: true },
  };
  return [{ do: 'replace', file, before }];
}

/** Returns null for bytes that are not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function pathOf(step: BuildStep): string {
  if (step.do === 'conflict') return step.path;
  return 'file' in step ? step.file.path : step.before.path;
}
