import { buffer } from 'node:stream/consumers';
import type { DeviceTree, TreeEntry } from '../../src/core/trees/device-tree.ts';

/** Returns the entries of a tree by path, folders with a slash at their end. */
export async function entriesOf(
  tree: DeviceTree,
  path: readonly string[] = [],
): Promise<Record<string, TreeEntry>> {
  const entries: Record<string, TreeEntry> = {};
  for await (const entry of tree.list(path)) {
    const inner = [...path, entry.name];
    entries[inner.join('/') + (entry.isFolder ? '/' : '')] = entry;
    if (entry.isFolder) Object.assign(entries, await entriesOf(tree, inner));
  }
  return entries;
}

/** Returns the bytes of all files of a tree by path, read as clients read them. */
export async function bytesIn(tree: DeviceTree): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {};
  for (const [path, entry] of Object.entries(await entriesOf(tree))) {
    if (entry.isFolder) continue;
    const { file } = await tree.open(path.split('/'));
    files[path] = await buffer(file.stream());
  }
  return files;
}
