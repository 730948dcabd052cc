import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './disk-error.ts';

/** Makes changes to the names in a folder (create, rename, remove) survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems cannot sync a folder at all. A store may be on such a file system,
    // so ignore these errors.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(codeOf(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

/** Creates a folder and its missing parents. The new folders survive a power cut. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  const top = dirname(first);
  for (let above = dirname(folder); ; above = dirname(above)) {
    await syncFolder(above);
    if (above === top || above === dirname(above)) return;
  }
}
