import { open } from 'node:fs/promises';

/** Syncs `folder`, so that a file created or renamed in it is safe on disk under its name. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
