import { lstat, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FoundFile } from '../core/library/library-file.ts';

/**
 * Finds one file below a root in the form in which `walk` finds it. Returns null when there is
 * none, or when the path contains a link. Throws the system's error.
 */
export async function findFile(root: string, path: string): Promise<FoundFile | null> {
  try {
    const straight = join(await realpath(root), path.slice(root.length));
    if ((await realpath(path)) !== straight) return null;
    const stat = await lstat(path, { bigint: true });
    if (!stat.isFile()) return null;
    const { mtimeNs, ino: inode } = stat;
    return { path, name: basename(path), size: Number(stat.size), mtimeNs, inode };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
