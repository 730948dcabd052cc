import { mkdir, statfs } from 'node:fs/promises';

/** Bytes that may still be written to the file system of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Whether a folder, which is created where it is missing, is on a file system with so many free bytes. */
export async function hasRoomFor(folder: string, bytes: number): Promise<boolean> {
  if (bytes === 0) return true;
  await mkdir(folder, { recursive: true });
  return bytes <= (await freeBytes(folder));
}
