import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { median } from '../../measure/median.ts';
import { currentMemoryMib, peakMemoryMib, resetPeakMemory } from '../../measure/memory.ts';
import { startServer } from '../../measure/program.ts';
import type { BareWrite } from '../bare/bare-write.ts';
import { runInChild } from '../child.ts';
import { type Bench, memoryRow, type Row } from '../row.ts';
import { openUploader } from '../uploading.ts';

const chunkBytes = 16 * 1024 * 1024;
const times = 128;
/** Number of uploads, an odd number. The median counts. */
const turns = 3;
const megabytes = (chunkBytes * times) / 1e6;
/** Limit for the additional memory of the server during the upload, in MiB. */
const maxMib = 64;

/**
 * Measures uploads of 2 GiB in chunks of 16 MiB with checksums, and the server's peak memory. The
 * duration of an upload ends when the archive has its final name. The reference is a process that
 * hashes, writes and syncs the same chunks one at a time.
 */
export const uploadBench: Bench = {
  rows: ['upload', 'upload-memory'],
  measure: async (work) => uploadRows(await work.folder('upload')),
};

async function uploadRows(folder: string): Promise<Row[]> {
  const data = join(folder, 'data');
  const server = await startServer(data);
  try {
    const uploader = await openUploader(server.url);
    const chunk = randomBytes(chunkBytes);
    const idle = currentMemoryMib(server.pid);
    await resetPeakMemory(server.pid); // resets the peak, which is higher at startup
    const bare: number[] = [];
    const uploads: number[] = [];
    // Measured in turn, because the speed of disks varies.
    for (let turn = 0; turn < turns; turn += 1) {
      const work: BareWrite = { path: join(folder, 'bare.bin'), chunkBytes, times };
      bare.push(await runInChild<number>('bare/bare-write.ts', work));
      const filename = `large-${turn}.iso`;
      const start = performance.now();
      await uploader.upload({ filename, system: 'games', chunk, times });
      uploads.push(performance.now() - start);
      await removeFiles(data, filename);
    }
    const peak = peakMemoryMib(server.pid);
    const rows: Row[] = [
      {
        name: 'upload',
        what: 'upload of 2 GiB',
        unit: 'MB/s',
        catalog: megabytes / (median(uploads) / 1000),
        reference: megabytes / (median(bare) / 1000),
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

/** Removes the files with this name below a folder, so that they do not fill the disk. */
async function removeFiles(folder: string, name: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((each) => basename(each) === name)) await rm(join(folder, file));
}
