import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { median } from '../../measure/median.ts';
import { currentMemoryMib, peakMemoryMib, resetPeakMemory } from '../../measure/memory.ts';
import { startServer } from '../../measure/program.ts';
import { isNginxInstalled, startNginx } from '../nginx.ts';
import { type Bench, memoryRow, type Row } from '../row.ts';

const mib = 1024 * 1024;
const large = { name: 'large.iso', mib: 2048 };
const small = { name: 'small.iso', mib: 100 };
const turns = 3;
const concurrentDownloads = 32;
const slowReaderCount = 200;
const slowMs = 8_000;

/**
 * Measures downloads from the minimal API with curl, and the memory that they need. The reference
 * is nginx with sendfile for the same files.
 */
export const downloadBench: Bench = {
  rows: ['download', 'download-memory', 'downloads', 'slow-readers'],
  skipReason: () => (isNginxInstalled() && hasCurl() ? null : 'no nginx, or no curl'),
  measure: async (work, isWanted) => {
    const folder = await work.folder('downloads');
    const games = join(folder, 'data', 'store', 'games');
    await mkdir(games, { recursive: true });
    for (const file of [large, small]) await writeRandom(join(games, file.name), file.mib);
    const nginx = await startNginx(folder, games);
    const server = await startServer(join(folder, 'data'), ['--minimal']);
    try {
      const rows: Row[] = [];
      const ours = `${server.url}/api/store/download/`;
      const theirs = `${nginx.url}/`;
      if (isWanted('download') || isWanted('download-memory')) {
        rows.push(...(await measureLargeDownload(ours, theirs, server.pid)));
      }
      if (isWanted('downloads')) rows.push(await measureSmallDownloads(ours, theirs));
      if (isWanted('slow-readers'))
        rows.push(...(await measureSlowReaders(server.url, server.pid)));
      return rows;
    } finally {
      await server.stop();
      await nginx.stop();
    }
  },
};

const hasCurl = () => spawnSync('curl', ['--version']).status === 0;

async function measureLargeDownload(ours: string, theirs: string, pid: number): Promise<Row[]> {
  const before = currentMemoryMib(pid);
  await resetPeakMemory(pid);
  const [catalog, reference] = await measureAlternately(ours, theirs, large, 1);
  const peak = peakMemoryMib(pid);
  const row: Row = {
    name: 'download',
    what: 'a download of 2 GiB',
    unit: 'MB/s',
    catalog,
    reference,
    against: 'nginx with sendfile',
    targets: [{ of: 'ratio', least: 0.8 }],
  };
  if (before === null || peak === null) return [row];
  return [row, memoryRow('download-memory', 'memory that it takes', peak - before, 64)];
}

async function measureSmallDownloads(ours: string, theirs: string): Promise<Row> {
  const [catalog, reference] = await measureAlternately(ours, theirs, small, concurrentDownloads);
  return {
    name: 'downloads',
    what: `${concurrentDownloads} downloads of 100 MiB at once`,
    unit: 'MB/s',
    catalog,
    reference,
    against: 'nginx with sendfile',
    targets: [{ of: 'ratio', least: 0.6 }],
  };
}

/**
 * Returns the rates of both servers in MB/s. The servers are measured alternately; each rate is the
 * median of several measurements.
 */
async function measureAlternately(
  ours: string,
  theirs: string,
  file: typeof large,
  times: number,
): Promise<[number, number]> {
  const rates: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [i, url] of [ours, theirs].entries()) {
      const start = performance.now();
      await Promise.all(Array.from({ length: times }, () => curl(url + file.name)));
      const seconds = (performance.now() - start) / 1000;
      rates[i]?.push((file.mib * mib * times) / 1e6 / seconds);
    }
  }
  return [median(rates[0]), median(rates[1])];
}

async function curl(url: string): Promise<void> {
  const child = spawn('curl', ['-sf', '-o', '/dev/null', url], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`curl ${url} ended with code ${code}`);
}

/** Measures the server's memory for readers that read a few bytes and then stall. */
async function measureSlowReaders(url: string, pid: number): Promise<Row[]> {
  const before = currentMemoryMib(pid);
  await resetPeakMemory(pid);
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  for (let i = 0; i < slowReaderCount; i += 1) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`GET /api/store/download/${large.name} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    sockets.push(socket);
  }
  await setTimeout(slowMs);
  const peak = peakMemoryMib(pid);
  for (const socket of sockets) socket.destroy();
  if (before === null || peak === null) return [];
  return [
    memoryRow('slow-readers', `memory for ${slowReaderCount} slow readers`, peak - before, 96),
  ];
}

async function writeRandom(path: string, size: number): Promise<void> {
  const piece = randomBytes(mib);
  const file = await open(path, 'w');
  for (let i = 0; i < size; i += 1) await file.write(piece);
  await file.close();
}
