// The reference for uploads, run in a separate process. Hashes chunks and writes them to a file.
// Each chunk is synced before the next one is written. Sends the duration back in milliseconds.
import { createHash, randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';

/** The data to write. */
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
