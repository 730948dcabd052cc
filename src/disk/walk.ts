import { lstatSync, readdirSync } from 'node:fs';
import type { FoundFile } from '../core/library/library-file.ts';

/**
 * Number of files per batch. Few enough that they are no longer used when the first garbage
 * collection runs.
 */
const filesPerBatch = 100;
/** Maximum depth of a tree; a deeper one is a circle of mounts. */
const mostDepth = 64;

/** Some files of a walk, and the paths that could not be read meanwhile. */
export interface WalkBatch {
  readonly files: readonly FoundFile[];
  readonly unreadable: readonly { path: string; reason: string }[];
}

/**
 * Yields every regular file below a root in batches, ordered by whole path (by UTF-16 unit). Skips
 * the folders in `except`, links, pipes, devices, and names that begin with a dot. Throws when the
 * root cannot be read; unreadable paths below it are reported in `unreadable`. Use it on a thread:
 * its calls block, which is several times faster than asynchronous calls for each file.
 */
export function* walk(root: string, except: readonly string[] = []): Generator<WalkBatch> {
  const left = new Set(except.map((path) => `${path}/`));
  let files: FoundFile[] = [];
  let unreadable: { path: string; reason: string }[] = [];
  const onUnreadable = (path: string, reason: string) => unreadable.push({ path, reason });
  const rootFolder = root.endsWith('/') ? root : `${root}/`;
  /** Folders end in a slash, so they sort to the same place as the files below them. */
  const waiting = namesIn(rootFolder).map((name) => rootFolder + name);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (path.endsWith('/')) {
      if (left.has(path)) continue;
      const depth = path.slice(rootFolder.length).split('/').length - 1;
      for (const name of lookInto(path, depth, onUnreadable)) waiting.push(path + name);
      continue;
    }
    const file = look(path, onUnreadable);
    if (file !== null) files.push(file);
    if (files.length < filesPerBatch) continue;
    yield { files, unreadable };
    files = [];
    unreadable = [];
  }
  yield { files, unreadable };
}

type OnUnreadable = (path: string, reason: string) => void;

/** Returns the names of files, and of folders with a slash, in descending order. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()))
    .map((entry) => (entry.isFile() ? entry.name : `${entry.name}/`))
    .sort()
    .reverse();
}

function lookInto(folder: string, depth: number, onUnreadable: OnUnreadable): string[] {
  const path = folder.slice(0, -1);
  try {
    if (depth > mostDepth) throw new Error('the folders are nested too deeply');
    return namesIn(path);
  } catch (error) {
    if (!isGone(error, path)) onUnreadable(path, reasonOf(error, path));
    return [];
  }
}

function look(path: string, onUnreadable: OnUnreadable): FoundFile | null {
  try {
    const stat = lstatSync(path, { bigint: true });
    if (!stat.isFile()) return null;
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { path, name, size: Number(stat.size), mtimeNs: stat.mtimeNs, inode: stat.ino };
  } catch (error) {
    if (!isGone(error, path)) onUnreadable(path, reasonOf(error, path));
    return null;
  }
}

/**
 * Returns whether a file was removed since its folder was read. Such a file is gone, not
 * unreadable.
 */
function isGone(error: unknown, path: string): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' && !path.includes('\uFFFD');
}

/**
 * Returns why a path is unreadable. Node shows bytes that are not UTF-8 as U+FFFD, a name that the
 * system cannot find.
 */
function reasonOf(error: unknown, path: string): string {
  return path.includes('\uFFFD') ? 'its name is not UTF-8' : (error as Error).message;
}
