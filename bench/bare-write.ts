// Hashes chunks and writes them to a file, each safe on the disk before the next, in a process of its own; answers the milliseconds.
import { createHash, randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';

/** What is to be written. */
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
