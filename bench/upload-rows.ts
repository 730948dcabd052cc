import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BareWrite } from './bare-write.ts';
import type { Row } from './table.ts';
import { openUploader } from './uploading.ts';
import { askChild, startServer } from './work.ts';

const chunkBytes = 16 * 1024 * 1024;
const times = 128;
/** What the server may take while it receives them. */
const mostMib = 200;

/**
 * An upload of 2 GiB in chunks of 16 MiB with their checksums, until the archive has its name, against as many chunks
 * that a process writes and syncs one by one; and the memory that the server took at most.
 */
export async function uploadRows(folder: string): Promise<Row[]> {
  await mkdir(folder, { recursive: true });
  const bare = () => {
    const work: BareWrite = { path: join(folder, 'bare.bin'), chunkBytes, times };
    return askChild<number>('bare-write.ts', work);
  };
  const before = await bare();
  const data = join(folder, 'data');
  const server = await startServer(data);
  try {
    const uploader = await openUploader(server.url);
    const chunk = randomBytes(chunkBytes);
    const start = performance.now();
    await uploader.upload({ filename: 'large.iso', system: 'games', chunk, times });
    const catalog = performance.now() - start;
    const most = mostTaken(server.pid);
    await rm(join(data, 'store'), { recursive: true });
    const reference = (before + (await bare())) / 2; // disks are not the same all the time
    const against = 'the same chunks written and synced';
    const ratio = catalog / reference;
    const rows: Row[] = [
      { what: 'upload of 2 GiB', unit: 'ms', catalog, reference, against, ratio },
    ];
    if (most !== null) rows.push(memoryRow(most));
    return rows;
  } finally {
    await server.stop();
  }
}

function memoryRow(most: number): Row {
  const what = 'memory of the server, 2 GiB uploaded';
  const against = 'what it may take at most';
  const ratio = most / mostMib;
  return { what, unit: 'MiB', catalog: most, reference: mostMib, against, ratio };
}

/** MiB; null where the system does not tell. */
function mostTaken(pid: number): number | null {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return null;
  const [, kib] = /VmHWM:\s*(\d+) kB/.exec(readFileSync(status, 'utf8')) ?? [];
  return kib === undefined ? null : Number(kib) / 1024;
}
