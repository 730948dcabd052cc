import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Returns the bytes of a list; null if it has more than `maxBytes`. Throws if the path is a link.
 */
export async function readList(path: string, maxBytes: number): Promise<Buffer | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return (await handle.stat()).size > maxBytes ? null : await handle.readFile();
  } finally {
    await handle.close();
  }
}
