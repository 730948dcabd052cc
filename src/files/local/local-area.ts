import { type Dirent, lstatSync } from 'node:fs';
import { mkdir, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FileArea, StoredFile } from '../../core/shared/files/file-area.ts';
import { hasSpaceFor } from '../free-bytes.ts';
import type { OwnFiles } from '../own-files.ts';
import { countTree, entriesOf } from './count-tree.ts';
import { asStorageError, isGone } from './disk-error.ts';
import { syncFolder } from './durable.ts';
import { keepFile } from './keep-file.ts';
import { isPlainName, locate, storedFile } from './locate.ts';
import { openFile } from './open-file.ts';
import { stageFile } from './stage-file.ts';

const statOptions = { bigint: true, throwIfNoEntry: false } as const;

const MAX_CONCURRENT_LOOKUPS = 64;

/**
 * Returns the area with the files in `folder`, which need not exist. Unfinished files are stored in
 * `tmp`, under names that `sweepTmp` recognizes. If `tmp` and `folder` are on different file
 * systems, `areaTmpFolder(folder)` is used instead. The `own` files are never part of the area.
 */
export function localArea(options: { folder: string; tmp: string; own?: OwnFiles }): FileArea {
  const folder = resolve(options.folder);
  const tmp = resolve(options.tmp);
  const { own } = options;
  return {
    list: () => list(folder, own),
    names: () => names(folder, own),
    version: () => version(folder),
    find: (name) => find(folder, name, own),
    fingerprintSync: (names) => fingerprintSync(folder, names),
    open: (name) => openFile(folder, name, own),
    hasSpaceFor: async (bytes) => hasSpaceFor(await tmpFolderFor(folder, tmp), bytes),
    stage: async (bytes) => stageFile({ folder, tmp: await tmpFolderFor(folder, tmp), own }, bytes),
    retain: async (name) => keepFile({ folder, tmp: await tmpFolderFor(folder, tmp) }, name),
    remove: (name) => remove(folder, name, own),
    countTree: () => countTree(folder),
  };
}

/**
 * Returns the folder for unfinished files of an area, for the case that `tmp` is on another file
 * system. A file cannot be renamed from one file system to another.
 */
export function areaTmpFolder(folder: string): string {
  return join(folder, '.catalog-tmp');
}

/**
 * Returns the folder for files that will be moved into `folder`: `tmp`, or `areaTmpFolder(folder)`
 * if `tmp` is on another file system.
 */
export async function tmpFolderFor(folder: string, tmp: string): Promise<string> {
  const own = await stat(folder).catch(() => null);
  if (own === null) return tmp;
  await mkdir(tmp, { recursive: true });
  return (await stat(tmp)).dev === own.dev ? tmp : areaTmpFolder(folder);
}

async function* list(folder: string, own?: OwnFiles): AsyncGenerator<StoredFile> {
  let names: string[] = [];
  for await (const entry of entriesOf(folder)) {
    if (entry.isDirectory()) continue;
    names.push(entry.name);
    if (names.length < MAX_CONCURRENT_LOOKUPS) continue;
    yield* await findAll(folder, names, own);
    names = [];
  }
  yield* await findAll(folder, names, own);
}

async function* names(folder: string, own?: OwnFiles): AsyncGenerator<string> {
  const mustCheckAll = own?.mayBeIn(folder) ?? false;
  for await (const entry of entriesOf(folder)) {
    const isThere = mustCheckAll
      ? await isFound(folder, entry.name, own)
      : await isFile(folder, entry, own);
    if (isThere) yield entry.name;
  }
}

/**
 * Returns true if a folder's entry is a file of the area. Looks up the file only for links and for
 * names with U+FFFD, which may replace invalid bytes of the name on disk.
 */
async function isFile(folder: string, entry: Dirent, own?: OwnFiles): Promise<boolean> {
  if (entry.isDirectory()) return false;
  if (entry.isFile() && !entry.name.includes('\ufffd')) return true;
  return isFound(folder, entry.name, own);
}

async function isFound(folder: string, name: string, own?: OwnFiles): Promise<boolean> {
  return (await find(folder, name, own).catch(() => null)) !== null;
}

/**
 * Returns a text that identifies the current names in the folder; null if the folder is missing.
 * The text contains the folder's modification time, which changes whenever a name is added or
 * removed.
 */
async function version(folder: string): Promise<string | null> {
  try {
    const { dev, ino, mtimeNs } = await stat(folder, { bigint: true });
    return `${dev}-${ino}-${mtimeNs}`;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/**
 * Returns the files with these names. Files that cannot be read, or whose names are not UTF-8, are
 * left out.
 */
async function findAll(folder: string, names: string[], own?: OwnFiles): Promise<StoredFile[]> {
  const files = await Promise.all(names.map((name) => find(folder, name, own).catch(() => null)));
  return files.filter((file) => file !== null);
}

async function find(folder: string, name: string, own?: OwnFiles): Promise<StoredFile | null> {
  const located = await locate(folder, name, own);
  return located && storedFile(name, located.stat);
}

/** Removes a file. For a link, the link itself is removed. */
async function remove(folder: string, name: string, own?: OwnFiles): Promise<boolean> {
  if ((await locate(folder, name, own)) === null) return false;
  try {
    await unlink(join(folder, name));
    await syncFolder(folder);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw asStorageError(error);
  }
}

/**
 * Implements `FileArea.fingerprintSync`: returns a text that identifies the current state of the
 * files with these names. Returns null if any file is unreadable or a link, because a link's target
 * would have to be looked up. Blocks this thread, though only briefly if the system has the file's
 * metadata cached. So use this function only for names that were just requested.
 */
function fingerprintSync(folder: string, names: readonly string[]): string | null {
  let found = '';
  try {
    for (const name of names) {
      const stat = isPlainName(name) ? lstatSync(join(folder, name), statOptions) : undefined;
      if (stat === undefined) found += '-,';
      else if (stat.isFile()) found += `${stat.ino}/${stat.size}/${stat.mtimeNs}/${stat.ctimeNs},`;
      else return null;
    }
  } catch {
    return null;
  }
  return found;
}
