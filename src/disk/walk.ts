import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundFile } from '../core/library/library-file.ts';

/** Files that are looked at together. */
const filesPerBatch = 256;
/** A tree deeper than this is a circle of mounts. */
const mostDepth = 64;

/**
 * Every regular file below a root, in batches, folder by folder in the order of their names. Names that begin with a
 * dot, links, pipes and devices are passed over. Throws when the root cannot be read; what below it cannot be read is
 * told to `onUnreadable`.
 */
export async function* walk(
  root: string,
  onUnreadable: (path: string, reason: string) => void,
): AsyncGenerator<FoundFile[]> {
  const folders = [{ path: root, depth: 0 }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readFolder(folder.path, folder.depth === 0, onUnreadable);
    const files: Dirent[] = [];
    const inner: { path: string; depth: number }[] = [];
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const path = join(folder.path, entry.name);
      if (entry.isFile()) files.push(entry);
      else if (!entry.isDirectory()) continue;
      else if (folder.depth < mostDepth) inner.push({ path, depth: folder.depth + 1 });
      else onUnreadable(path, 'the folders are nested too deeply');
    }
    folders.push(...inner.reverse());
    for (let start = 0; start < files.length; start += filesPerBatch) {
      const batch = files.slice(start, start + filesPerBatch);
      const found = await Promise.all(
        batch.map((entry) => look(folder.path, entry.name, onUnreadable)),
      );
      yield found.filter((file) => file !== null);
    }
  }
}

async function readFolder(
  path: string,
  isRoot: boolean,
  onUnreadable: (path: string, reason: string) => void,
): Promise<Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isRoot) throw error;
    onUnreadable(path, (error as Error).message);
    return [];
  }
}

async function look(
  folder: string,
  name: string,
  onUnreadable: (path: string, reason: string) => void,
): Promise<FoundFile | null> {
  const path = join(folder, name);
  try {
    const stat = await lstat(path, { bigint: true });
    if (!stat.isFile()) return null;
    return { path, name, size: Number(stat.size), mtimeNs: stat.mtimeNs, inode: stat.ino };
  } catch (error) {
    // Removed since the folder was read: it is gone, not unreadable.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      onUnreadable(path, (error as Error).message);
    return null;
  }
}
