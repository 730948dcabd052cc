import { lstat, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FoundFile } from '../../core/library/library-file.ts';

/**
 * Returns the record of one file below `root`, in the form in which `walk` yields it. Returns null
 * if there is no such file, or if its path contains a symbolic link. Throws the operating system's
 * error if the file cannot be examined.
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
