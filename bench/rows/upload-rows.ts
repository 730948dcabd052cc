import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { currentMemoryMib, peakMemoryMib, resetPeakMemory } from '../../measure/memory.ts';
import { startServer } from '../../measure/program.ts';
import type { BareWrite } from '../bare/bare-write.ts';
import { runInChild } from '../child.ts';
import { type Bench, memoryRow, type Row } from '../row.ts';
import { openUploader } from '../uploading.ts';

const chunkBytes = 16 * 1024 * 1024;
const times = 128;
const megabytes = (chunkBytes * times) / 1e6;
/** Limit for the additional memory of the server during the upload, in MiB. */
const maxMib = 64;

/**
 * Measures an upload of 2 GiB in chunks of 16 MiB with checksums, and the server's peak memory. The
 * duration ends when the archive has its final name. The reference is a process that hashes, writes
 * and syncs the same chunks one at a time.
 */
export const uploadBench: Bench = {
  rows: ['upload', 'upload-memory'],
  measure: async (work) => uploadRows(await work.folder('upload')),
};

async function uploadRows(folder: string): Promise<Row[]> {
  const bare = () => {
    const work: BareWrite = { path: join(folder, 'bare.bin'), chunkBytes, times };
    return runInChild<number>('bare/bare-write.ts', work);
  };
  const before = await bare();
  const data = join(folder, 'data');
  const server = await startServer(data);
  try {
    const uploader = await openUploader(server.url);
    const chunk = randomBytes(chunkBytes);
    const idle = currentMemoryMib(server.pid);
    await resetPeakMemory(server.pid); // resets the peak, which is higher at startup
    const start = performance.now();
    await uploader.upload({ filename: 'large.iso', system: 'games', chunk, times });
    const catalog = performance.now() - start;
    const peak = peakMemoryMib(server.pid);
    await rm(join(data, 'store'), { recursive: true });
    const reference = (before + (await bare())) / 2; // averaged, because disk speed varies
    const rows: Row[] = [
      {
        name: 'upload',
        what: 'upload of 2 GiB',
        unit: 'MB/s',
        catalog: megabytes / (catalog / 1000),
        reference: megabytes / (reference / 1000),
        against: 'the same chunks hashed, written and synced',
        targets: [{ of: 'ratio', least: 0.7 }],
      },
    ];
    if (peak === null || idle === null) return rows;
    return [...rows, memoryRow('upload-memory', 'memory that it takes', peak - idle, maxMib)];
  } finally {
    await server.stop();
  }
}
