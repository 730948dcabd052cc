import type { BigIntStats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoredFile } from '../core/shared/file-area.ts';
import { codeOf, isGone } from './disk-error.ts';

/** A regular file directly in a folder, with its own path, no longer that of a link to it. */
export interface Located {
  readonly path: string;
  readonly stat: BigIntStats;
}

/** Where a name of the area is on disk; null when it is no file of the area (see `FileArea`). */
export async function locate(folder: string, name: string): Promise<Located | null> {
  if (!isPlainName(name)) return null;
  const path = join(folder, name);
  try {
    const stat = await lstat(path, { bigint: true });
    if (stat.isFile()) return { path, stat };
    return stat.isSymbolicLink() ? await locateTarget(folder, path) : null;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** True for a name that can stand in a flat folder: 1 to 255 bytes, no separator, no NUL, no dot segment. */
export function isPlainName(name: string): boolean {
  return (
    name !== '' &&
    name !== '.' &&
    name !== '..' &&
    !/[/\\\0]/.test(name) &&
    name.isWellFormed() &&
    Buffer.byteLength(name) <= 255
  );
}

/** The facts of one version of a file; the tag changes with every write because each write is a new inode. */
export function storedFile(name: string, stat: BigIntStats): StoredFile {
  const tag = [stat.ino, stat.size, stat.mtimeNs].map((part) => part.toString(16)).join('-');
  return { name, size: Number(stat.size), mtimeNs: stat.mtimeNs, etag: `"${tag}"` };
}

async function locateTarget(folder: string, link: string): Promise<Located | null> {
  const path = await realpath(link).catch((error: unknown) => {
    if (codeOf(error) === 'EACCES') return null;
    throw error;
  });
  if (path === null || dirname(path) !== (await realpath(folder))) return null;
  const stat = await lstat(path, { bigint: true });
  return stat.isFile() ? { path, stat } : null;
}
