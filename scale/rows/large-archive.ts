import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import * as http from 'node:http';
import * as net from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { createRandom } from '../../measure/dats.ts';
import type { Figure } from '../../measure/figure.ts';
import { type Server, startServer } from '../../measure/program.ts';
import { openUserClient } from '../../measure/user-client.ts';
import { createRequester } from '../../test/support/http/requester.ts';
import { tusClient } from '../../test/support/http/tus.ts';
import { startSwift, swiftSkipReason } from '../../test/support/s3/swift.ts';
import { DrawnBytes } from '../drawn-bytes.ts';
import { noneOf, type Row } from '../row.ts';

const mib = 2 ** 20;
const chunkBytes = 32 * mib;
const name = 'large.iso';
const ranges = 20;
const readers = 200;

/**
 * Uploads an archive of 20 GB to an S3 store on the disk and downloads it again. Checks the bytes
 * and the server's memory.
 */
export const largeArchive: Row = {
  name: 'large-archive',
  skipReason: () => swiftSkipReason,
  async measure({ folder, database, seed, times }) {
    const size = times(20) * 1e9;
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < size * 1.2) throw new Error(`${folder} has no room for ${size} bytes`);
    const swift = await startSwift(folder);
    let server: Server | null = null;
    try {
      const bucket = await swift.newBucket();
      server = await startServer(join(folder, 'data'), [], undefined, {
        CATALOG_DATABASE: database,
        CATALOG_COVER_SOURCE: '',
        CATALOG_FILES: `s3://${bucket.bucket}/${bucket.prefix}`,
        CATALOG_S3_ENDPOINT: bucket.endpoint,
        CATALOG_S3_ACCESS_KEY: bucket.accessKey,
        CATALOG_S3_SECRET_KEY: bucket.secretKey,
      });
      const { token } = await openUserClient(server.url);
      return await sendAndFetch({ server, token, bytes: new DrawnBytes(seed), size, seed });
    } finally {
      await server?.stop();
      await swift.stop();
    }
  },
};

interface Transfer {
  readonly server: Server;
  readonly token: string;
  readonly bytes: DrawnBytes;
  readonly size: number;
  readonly seed: number;
}

async function sendAndFetch(transfer: Transfer): Promise<Figure[]> {
  const { server, size } = transfer;
  const [sent, sendSeconds] = await timed(() => send(transfer));
  const afterSending = memoryOf(server, 'VmHWM');
  const [received, fetchSeconds] = await timed(() => fetchWhole(transfer));
  const wrongRanges = await countWrongRanges(transfer);
  const peak = memoryOf(server, 'VmHWM');
  const rate = (seconds: number) => `${Math.round(size / 1e6 / seconds)} MB/s`;
  process.stderr.write(
    `scale: ${size / 1e9} GB sent with ${rate(sendSeconds)} and fetched with ${rate(fetchSeconds)}; ` +
      `memory ${afterSending.toFixed(0)} MiB after sending\n`,
  );
  return [
    noneOf('archives with other bytes', received === sent ? 0 : 1, 1),
    noneOf('ranges with other bytes', wrongRanges, ranges),
    { what: 'peak memory of the server', value: peak, unit: 'MiB', max: 256 },
    {
      what: `additional memory for ${readers} readers that read nothing`,
      value: await growthForReaders(transfer),
      unit: 'MiB',
      max: 96,
    },
  ];
}

/** Uploads the archive in chunks. Returns the SHA-256 of the sent bytes. */
async function send({ server, token, bytes, size }: Transfer): Promise<string> {
  const client = tusClient(createRequester(server.url), token);
  const path = await client.createUpload(size, { filename: name, system: 'games' });
  const hash = createHash('sha256');
  for (let at = 0; at < size; at += chunkBytes) {
    const chunk = bytes.part(at, Math.min(chunkBytes, size - at));
    hash.update(chunk);
    const { status, text } = await client.send(path, at, chunk);
    if (status !== 204) throw new Error(`a chunk at ${at} was refused: ${status} ${text}`);
  }
  const { state, detail } = await client.waitUntilChecked(path);
  if (state !== 'done') throw new Error(`the upload ended as ${state}: ${detail}`);
  return hash.digest('hex');
}

async function fetchWhole(transfer: Transfer): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of await download(transfer)) hash.update(piece);
  return hash.digest('hex');
}

/**
 * Downloads ranges of 1 MiB. One range crosses the 4 GiB boundary if the archive is large enough.
 * Returns the number of incorrect ranges.
 */
async function countWrongRanges(transfer: Transfer): Promise<number> {
  const random = createRandom(transfer.seed);
  let wrong = 0;
  for (let turn = 0; turn < ranges; turn += 1) {
    const last = transfer.size - mib;
    const drawn = turn === 0 ? Math.min(2 ** 32 - mib / 2, last) : random() * last;
    const start = Math.floor(drawn / 16) * 16;
    const received = await buffer(await download(transfer, `bytes=${start}-${start + mib - 1}`));
    if (!received.equals(transfer.bytes.part(start, mib))) wrong += 1;
  }
  return wrong;
}

async function download(
  { server, token }: Transfer,
  range?: string,
): Promise<http.IncomingMessage> {
  const url = `${server.url}/api/store/download/games/${name}`;
  const headers = { authorization: `Bearer ${token}`, ...(range && { range }) };
  const [response] = (await once(http.get(url, { headers }), 'response')) as [http.IncomingMessage];
  if (response.statusCode !== (range ? 206 : 200))
    throw new Error(`answered ${response.statusCode}`);
  return response;
}

/** Returns the maximum growth of the server's memory for readers that read nothing, in MiB. */
async function growthForReaders(transfer: Transfer): Promise<number> {
  const { server, token } = transfer;
  const part = async () => buffer(await download(transfer, `bytes=0-${mib - 1}`));
  await Promise.all(Array.from({ length: 20 }, part)); // incurs the one-time costs of traffic
  const before = memoryOf(server, 'VmRSS');
  const port = Number(new URL(server.url).port);
  const sockets = await Promise.all(
    Array.from({ length: readers }, async () => {
      const socket = net.connect(port, '127.0.0.1').on('error', () => {});
      socket.pause();
      await once(socket, 'connect');
      const headers = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
      socket.write(`GET /api/store/download/games/${name} HTTP/1.1\r\n${headers}\r\n`);
      return socket;
    }),
  );
  let peak = 0;
  for (let sample = 0; sample < 100; sample += 1) {
    await setTimeout(100);
    peak = Math.max(peak, memoryOf(server, 'VmRSS'));
  }
  for (const socket of sockets) socket.destroy();
  return peak - before;
}

/** Returns the server's current (`VmRSS`) or peak (`VmHWM`) resident memory, in MiB. */
function memoryOf({ pid }: Server, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  return [await work(), (performance.now() - began) / 1_000];
}
