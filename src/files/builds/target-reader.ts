import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileFacts, Found } from '../../core/builds/build-entry.ts';
import { codeOf } from '../local/disk-error.ts';

/**
 * The state of a folder: `ok`, `missing`, or a sentence that says why the folder cannot be used.
 */
export type FolderState = 'ok' | 'missing' | { readonly why: string };

/** Reads the state of files and folders in a target. Never follows a link. */
export class TargetReader {
  readonly #root: string;
  readonly #folders = new Map<string, Promise<FolderState>>();

  /** Use each instance only briefly: it caches the states of folders and does not update them. */
  constructor(root: string) {
    this.#root = root;
  }

  async stateOf(path: string): Promise<Found> {
    const state = await this.folderState(parentOf(path));
    if (state === 'missing') return { is: 'missing' };
    if (state !== 'ok') return { is: 'blocked', why: state.why };
    const stat = await statAt(join(this.#root, path));
    if (stat === null) return { is: 'missing' };
    if (stat.isFile()) return { is: 'file', facts: factsOf(stat) };
    const what = stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'folder' : 'special file';
    return { is: 'blocked', why: `A ${what} has this name, so it stays as it is` };
  }

  /** Returns the state of a folder by its path below the target; "" is the target. */
  folderState(path: string): Promise<FolderState> {
    const known = this.#folders.get(path) ?? this.#readFolderState(path);
    this.#folders.set(path, known);
    return known;
  }

  async #readFolderState(path: string): Promise<FolderState> {
    if (path !== '') {
      const above = await this.folderState(parentOf(path));
      if (above !== 'ok') return above;
    }
    const stat = await statAt(join(this.#root, path));
    if (stat === null) return 'missing';
    if (stat.isDirectory()) return 'ok';
    if (stat.isSymbolicLink())
      return { why: `The folder ${path} is a link, which is not followed` };
    return { why: `A file has the name of the folder ${path}` };
  }
}

/** Returns the parent folder of a path below the target; "" is the target itself. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** Returns the `lstat` result of a path; null if nothing has this path. */
export async function statAt(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return null;
    throw error;
  }
}

export function factsOf({ size, mtimeNs, ino }: BigIntStats): FileFacts {
  return { size: Number(size), mtimeNs, inode: ino };
}
