import { lstatSync, readdirSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Durations of walking a folder with lstat only, in milliseconds. */
export interface BareWalk {
  /** Duration of a walk with blocking calls, in a process that does nothing else. */
  readonly blockingMs: number;
  /**
   * Duration of a walk with calls that do not block the event loop, as a server needs. Runs lstat
   * concurrently for all files of a folder.
   */
  readonly nonBlockingMs: number;
}

process.on('message', async ({ root }: { root: string }) => {
  walkBlocking(root); // warms up the OS cache for both walks
  const start = performance.now();
  walkBlocking(root);
  const blockingMs = performance.now() - start;
  await walkNonBlocking(root);
  const nonBlockingMs = performance.now() - start - blockingMs;
  process.send?.({ blockingMs, nonBlockingMs } satisfies BareWalk);
});

function walkBlocking(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walkBlocking(path);
    else lstatSync(path);
  }
}

async function walkNonBlocking(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  await Promise.all(files.map((file) => lstat(join(folder, file.name))));
  for (const entry of entries)
    if (entry.isDirectory()) await walkNonBlocking(join(folder, entry.name));
}
