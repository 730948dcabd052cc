import { lstatSync, readdirSync } from 'node:fs';
import type { FoundFile } from '../core/library/library-file.ts';

/** Files that are handed over together. Few enough that they are garbage before they are collected for the first time. */
const filesPerBatch = 100;
/** A tree deeper than this is a circle of mounts. */
const mostDepth = 64;

/** Some files of a walk, and what could not be read meanwhile. */
export interface WalkBatch {
  readonly files: readonly FoundFile[];
  readonly unreadable: readonly { path: string; reason: string }[];
}

/**
 * Every regular file below a root, but below the folders `except`, in batches, in the order of their whole paths (by UTF-16 unit). Names that begin with
 * a dot, links, pipes and devices are passed over. Throws when the root cannot be read; what below it cannot be read is
 * `unreadable`. Its calls block, which is several times faster than asking for each file: it is for a thread.
 */
export function* walk(root: string, except: readonly string[] = []): Generator<WalkBatch> {
  const left = new Set(except.map((path) => `${path}/`));
  let files: FoundFile[] = [];
  let unreadable: { path: string; reason: string }[] = [];
  const onUnreadable = (path: string, reason: string) => unreadable.push({ path, reason });
  const rootFolder = root.endsWith('/') ? root : `${root}/`;
  /** Folders end in a slash, and so stand in the order where the files below them do. */
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

/** The names of files, and of folders with a slash, the last one first. */
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

/** Removed since its folder was read: that is gone, not unreadable. */
function isGone(error: unknown, path: string): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' && !path.includes('\uFFFD');
}

/** Node shows bytes that are no UTF-8 as U+FFFD, under which the system finds nothing. */
function reasonOf(error: unknown, path: string): string {
  return path.includes('\uFFFD') ? 'its name is not UTF-8' : (error as Error).message;
}
