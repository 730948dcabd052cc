import { lstatSync, readdirSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Durations of a bare walk with lstat, in ms. */
export interface BareWalk {
  /** With blocking calls, in a process that does nothing else. */
  readonly blockingMs: number;
  /**
   * With calls that leave the event loop free, as a server needs; all files of a folder at once.
   */
  readonly freeMs: number;
}

process.on('message', async ({ root }: { root: string }) => {
  walkBlocking(root); // warms up the OS cache for both
  const start = performance.now();
  walkBlocking(root);
  const blockingMs = performance.now() - start;
  await walkFree(root);
  const freeMs = performance.now() - start - blockingMs;
  process.send?.({ blockingMs, freeMs } satisfies BareWalk);
});

function walkBlocking(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walkBlocking(path);
    else lstatSync(path);
  }
}

async function walkFree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  await Promise.all(files.map((file) => lstat(join(folder, file.name))));
  for (const entry of entries) if (entry.isDirectory()) await walkFree(join(folder, entry.name));
}
