import { open } from 'node:fs/promises';

/**
 * Syncs a folder. After that, the entries of files created or renamed in the folder are durable.
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
