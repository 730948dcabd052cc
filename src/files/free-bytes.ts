import { statfs } from 'node:fs/promises';

/** Bytes that may still be written to the file system of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
