import { lstatSync, readdirSync } from 'node:fs';
import type { FoundFile } from '../../core/library/library-file.ts';

/**
 * Number of files per batch. Small batches are usually garbage before the next garbage collection,
 * which then frees them.
 */
const filesPerBatch = 100;
/** Maximum depth of folders below a root. A deeper tree can only be a cycle of mounts. */
const maxDepth = 64;

/** The files that a walk has found since the last batch, and the paths that could not be read. */
export interface WalkBatch {
  readonly files: readonly FoundFile[];
  readonly unreadable: readonly { path: string; reason: string }[];
}

/**
 * Yields every regular file below a root in batches, ordered by the whole path (by UTF-16 unit).
 * Skips the folders in `except`, symbolic links, pipes, devices, and names that begin with a dot.
 * Throws the operating system's error if the root cannot be read. `unreadable` contains the paths
 * below the root that cannot be read.
 *
 * Blocks the thread, so run this function on a separate thread. Synchronous calls are several times
 * faster for each file than asynchronous calls.
 */
export function* walk(root: string, except: readonly string[] = []): Generator<WalkBatch> {
  const excluded = new Set(except.map((path) => `${path}/`));
  let files: FoundFile[] = [];
  let unreadable: { path: string; reason: string }[] = [];
  const onUnreadable = (path: string, reason: string) => unreadable.push({ path, reason });
  const rootFolder = root.endsWith('/') ? root : `${root}/`;
  /**
   * A stack of paths to visit, next path last. The path of a folder ends with a slash, so that a
   * folder is sorted like the files below it.
   */
  const waiting = namesIn(rootFolder).map((name) => rootFolder + name);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (path.endsWith('/')) {
      if (excluded.has(path)) continue;
      const depth = path.slice(rootFolder.length).split('/').length - 1;
      for (const name of listFolder(path, depth, onUnreadable)) waiting.push(path + name);
      continue;
    }
    const file = statFile(path, onUnreadable);
    if (file !== null) files.push(file);
    if (files.length < filesPerBatch) continue;
    yield { files, unreadable };
    files = [];
    unreadable = [];
  }
  yield { files, unreadable };
}

type OnUnreadable = (path: string, reason: string) => void;

/** Returns the names in a folder in descending order. The names of folders end with a slash. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()))
    .map((entry) => (entry.isFile() ? entry.name : `${entry.name}/`))
    .sort()
    .reverse();
}

function listFolder(folder: string, depth: number, onUnreadable: OnUnreadable): string[] {
  const path = folder.slice(0, -1);
  try {
    if (depth > maxDepth) throw new Error('the folders are nested too deeply');
    return namesIn(path);
  } catch (error) {
    if (!isGone(error, path)) onUnreadable(path, reasonOf(error, path));
    return [];
  }
}

function statFile(path: string, onUnreadable: OnUnreadable): FoundFile | null {
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
 * Returns true if a path no longer exists, because it was removed after its folder was read. The
 * caller does not report a removed path as unreadable.
 */
function isGone(error: unknown, path: string): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' && !path.includes('\uFFFD');
}

/**
 * Returns the reason why a path cannot be read. If bytes of a name are not UTF-8, Node replaces
 * them by U+FFFD. The operating system does not find the changed name.
 */
function reasonOf(error: unknown, path: string): string {
  return path.includes('\uFFFD') ? 'its name is not UTF-8' : (error as Error).message;
}
