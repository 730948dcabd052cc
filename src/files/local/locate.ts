import type { BigIntStats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoredFile } from '../../core/shared/files/file-area.ts';
import type { OwnFiles } from '../own-files.ts';
import { codeOf, isGone } from './disk-error.ts';

/** A regular file directly in a folder. `path` is the file's own path, with links resolved. */
export interface LocatedFile {
  readonly path: string;
  readonly stat: BigIntStats;
}

/**
 * Finds the file `name` directly in `folder`. Returns null if the name is not a file of the area
 * (see `FileArea`), or is one of the `own` files.
 */
export async function locate(
  folder: string,
  name: string,
  own?: OwnFiles,
): Promise<LocatedFile | null> {
  if (!isPlainName(name)) return null;
  const path = join(folder, name);
  try {
    const stat = await lstat(path, { bigint: true });
    const located = stat.isFile() ? { path, stat } : await locateTarget(folder, path, stat);
    return located && own?.has(located.stat) ? null : located;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/**
 * Returns true for a valid file name in a flat folder. Such a name has 1 to 255 bytes, is
 * well-formed, contains no slash, backslash or NUL, and is neither `.` nor `..`.
 */
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

/**
 * Returns the `StoredFile` for a file with this state. The entity tag contains the size and the
 * modification time. Every published version has a unique modification time (see
 * `createPublisher`).
 */
export function storedFile(name: string, { size, mtimeNs, ino }: BigIntStats): StoredFile {
  const etag = `"${size.toString(16)}-${mtimeNs.toString(16)}"`;
  return { name, size: Number(size), mtimeNs, etag, inode: ino };
}

async function locateTarget(
  folder: string,
  link: string,
  linkStat: BigIntStats,
): Promise<LocatedFile | null> {
  if (!linkStat.isSymbolicLink()) return null;
  const path = await realpath(link).catch((error: unknown) => {
    if (codeOf(error) === 'EACCES') return null;
    throw error;
  });
  if (path === null || dirname(path) !== (await realpath(folder))) return null;
  const stat = await lstat(path, { bigint: true });
  return stat.isFile() ? { path, stat } : null;
}
