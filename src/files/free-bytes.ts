import { mkdir, statfs } from 'node:fs/promises';

/** Returns the number of bytes that may still be written to the file system of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Returns true if the file system of a folder has at least this many free bytes. Creates a missing
 * folder.
 */
export async function hasSpaceFor(folder: string, bytes: number): Promise<boolean> {
  if (bytes === 0) return true;
  await mkdir(folder, { recursive: true });
  return bytes <= (await freeBytes(folder));
}
