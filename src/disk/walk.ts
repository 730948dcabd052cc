import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FoundFile } from '../core/library/library-file.ts';

/** Files that are handed over together. */
const filesPerBatch = 500;
/** A tree deeper than this is a circle of mounts. */
const mostDepth = 64;

/** Some files of a walk, and what could not be read meanwhile. */
export interface WalkBatch {
  readonly files: readonly FoundFile[];
  readonly unreadable: readonly { path: string; reason: string }[];
}

/**
 * Every regular file below a root, in batches, folder by folder in the order of their names. Names that begin with a
 * dot, links, pipes and devices are passed over. Throws when the root cannot be read; what below it cannot be read is
 * `unreadable`. Its calls block, which is several times faster than asking for each file: it is for a thread.
 */
export function* walk(root: string): Generator<WalkBatch> {
  let files: FoundFile[] = [];
  let unreadable: { path: string; reason: string }[] = [];
  const onUnreadable = (path: string, reason: string) => unreadable.push({ path, reason });
  const folders = [{ path: root, depth: 0 }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { path, depth } = folder;
    const inner: { path: string; depth: number }[] = [];
    for (const entry of readFolder(path, depth === 0, onUnreadable)) {
      if (entry.name.startsWith('.')) continue;
      const entryPath = join(path, entry.name);
      if (entry.isFile()) {
        const file = look(entryPath, entry.name, onUnreadable);
        if (file !== null) files.push(file);
      } else if (!entry.isDirectory()) continue;
      else if (depth < mostDepth) inner.push({ path: entryPath, depth: depth + 1 });
      else onUnreadable(entryPath, 'the folders are nested too deeply');
      if (files.length < filesPerBatch) continue;
      yield { files, unreadable };
      files = [];
      unreadable = [];
    }
    folders.push(...inner.reverse());
  }
  yield { files, unreadable };
}

type OnUnreadable = (path: string, reason: string) => void;

function readFolder(path: string, isRoot: boolean, onUnreadable: OnUnreadable): Dirent[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isRoot) throw error;
    if (!isGone(error, path)) onUnreadable(path, reasonOf(error, path));
    return [];
  }
}

function look(path: string, name: string, onUnreadable: OnUnreadable): FoundFile | null {
  try {
    const stat = lstatSync(path, { bigint: true });
    if (!stat.isFile()) return null;
    return { path, name, size: Number(stat.size), mtimeNs: stat.mtimeNs, inode: stat.ino };
  } catch (error) {
    if (!isGone(error, path)) onUnreadable(path, reasonOf(error, path));
    return null;
  }
}

/** Removed since its folder was read: that is gone, not unreadable. */
function isGone(error: unknown, path: string): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' && !path.includes('\uFFFD');
}

/** Node shows bytes that are no UTF-8 as U+FFFD, under which the system finds nothing. */
function reasonOf(error: unknown, path: string): string {
  return path.includes('\uFFFD') ? 'its name is not UTF-8' : (error as Error).message;
}
