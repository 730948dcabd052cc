import { notFound } from '../../core/shared/errors.ts';
import type { Viewer } from '../../core/shared/requests/viewer.ts';
import type { TreeEntry } from '../../core/trees/device-tree.ts';
import type { DeviceTrees } from '../../core/trees/device-trees.ts';
import type { TreeSet } from '../../core/trees/ports.ts';

/** A file or folder below `/dav`: the folder of all sets, a set, a device, or a part of a tree. */
export interface DavResource {
  readonly entry: TreeEntry;
  /** Yields the entries of a folder, each with its name in the path. */
  readonly children: () => AsyncIterable<DavEntry>;
}

export interface DavEntry {
  /** The name in the path. */
  readonly segment: string;
  readonly entry: TreeEntry;
}

/**
 * Returns the file or folder at a path. Throws `not found` if there is none, and the errors of
 * `DeviceTrees.open`.
 */
export async function findResource(
  trees: DeviceTrees,
  names: readonly string[],
  viewer: Viewer,
): Promise<DavResource> {
  const [set, profile, ...path] = names;
  if (set === undefined) {
    const sets = await trees.sets(viewer);
    return folder('sets', () => setEntries(sets));
  }
  if (profile === undefined) {
    const { name } = await trees.set(set, viewer);
    return folder(name, () => profileEntries(trees.profiles()));
  }
  const tree = await trees.open({ set, profile }, viewer);
  const entry = await tree.find(path);
  if (entry === null) throw notFound();
  const named = path.length === 0 ? { ...entry, name: profile } : entry;
  return { entry: named, children: () => treeEntries(tree.list(path)) };
}

async function* setEntries(sets: readonly TreeSet[]): AsyncGenerator<DavEntry> {
  for (const set of sets) yield { segment: segmentOf(set, sets), entry: folderEntry(set.name) };
}

async function* profileEntries(ids: readonly string[]): AsyncGenerator<DavEntry> {
  for (const id of ids) yield { segment: id, entry: folderEntry(id) };
}

async function* treeEntries(entries: AsyncIterable<TreeEntry>): AsyncGenerator<DavEntry> {
  for await (const entry of entries) yield { segment: entry.name, entry };
}

/** Returns the name of a set, or its id if the name is not unique or would be misread in a path. */
function segmentOf({ id, name }: TreeSet, sets: readonly TreeSet[]): string {
  const isUnique = sets.every((other) => other.id === id || other.name !== name);
  return isUnique && !/^\.{1,2}$|\\/.test(name) ? name : `${id}`;
}

function folder(name: string, children: DavResource['children']): DavResource {
  return { entry: folderEntry(name), children };
}

function folderEntry(name: string): TreeEntry {
  return { name, isFolder: true, size: 0, mtimeMs: 0, etag: '', type: '' };
}
