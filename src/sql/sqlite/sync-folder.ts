import { open } from 'node:fs/promises';

/** Makes a file that was created or renamed in `folder` safe on disk under its name. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
