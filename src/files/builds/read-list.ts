import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Maximum size of a `gamelist.xml` that is merged, in bytes. */
const maxBytes = 64 * 2 ** 20;

/** Returns the text of a list; null if it is too large or not UTF-8. Does not follow a link. */
export async function readList(path: string): Promise<string | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if ((await handle.stat()).size > maxBytes) return null;
    return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile());
  } catch (error) {
    if (error instanceof TypeError) return null; // it is not UTF-8
    throw error;
  } finally {
    await handle.close();
  }
}
