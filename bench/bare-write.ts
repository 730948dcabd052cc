// Hashes chunks and writes them to a file, syncing each before the next. Runs in a process of its
// own and sends back the duration in milliseconds.
import { createHash, randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';

/** Describes the data to write. */
export interface BareWrite {
  readonly path: string;
  readonly chunkBytes: number;
  readonly times: number;
}

process.once('message', async ({ path, chunkBytes, times }: BareWrite) => {
  const chunk = randomBytes(chunkBytes);
  const file = await open(path, 'w');
  const start = performance.now();
  for (let written = 0; written < times; written += 1) {
    createHash('sha256').update(chunk).digest();
    await file.write(chunk);
    await file.datasync();
  }
  const ms = performance.now() - start;
  await file.close();
  await rm(path);
  process.send?.(ms);
});
