import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OpenedFile } from '../../src/core/shared/files/file-area.ts';
import { FileBody, LargeBuffers, largeBytes } from '../../src/http/shared/files/file-body.ts';
import { openFiles, startServer } from './server.ts';

const mib = 1024 * 1024;
const size = 24 * mib + 12_345;
let server: Awaited<ReturnType<typeof startServer>>;
let port: number;
let bytes: Buffer;
/** The buffers that the next response uses. */
let buffers: LargeBuffers;
/** Called before each read from the file. */
let beforeRead: (wanted: number, position: number) => void;

beforeAll(async () => {
  server = await startServer();
  server.app.get<{ Params: { name: string }; Querystring: { start: string; end: string } }>(
    '/:name',
    async ({ params, query }, reply) => {
      const file = await server.area.open(params.name);
      if (file === null) throw new Error('it is not there');
      const range = { start: Number(query.start), end: Number(query.end) };
      reply.header('content-length', range.end - range.start + 1);
      return reply.send(new FileBody(watched(file), range, buffers));
    },
  );
  port = await server.listen();
  fs.mkdirSync(server.folder, { recursive: true });
  bytes = randomBytes(size);
  fs.writeFileSync(join(server.folder, 'random'), bytes);
  fs.writeFileSync(join(server.folder, 'zeros'), '');
  fs.truncateSync(join(server.folder, 'zeros'), 1024 * mib);
});
afterAll(() => server.stop());
beforeEach(() => {
  buffers = new LargeBuffers();
  beforeRead = () => undefined;
});

function watched(file: OpenedFile): OpenedFile {
  return {
    ...file,
    read(buffer, position) {
      beforeRead(buffer.byteLength, position);
      return file.read(buffer, position);
    },
  };
}

async function open(name: string, start: number, end: number): Promise<IncomingMessage> {
  const path = `/${name}?start=${start}&end=${end}`;
  const [response] = await once(get({ port, host: '127.0.0.1', path, agent: false }), 'response');
  return response;
}

/**
 * Reads the whole response and returns its hash. If `pauses` is set, pauses every few MiB, so that
 * the server must wait.
 */
async function readAndHash(response: IncomingMessage, pauses: boolean): Promise<string> {
  const hash = createHash('sha256');
  let pausedAt = 0;
  let count = 0;
  for await (const piece of response) {
    hash.update(piece);
    count += piece.length;
    if (!pauses || count < pausedAt + 3 * mib) continue;
    pausedAt = count;
    await setTimeout(30);
  }
  return hash.digest('hex');
}

const hashOf = (start: number, end: number) =>
  createHash('sha256')
    .update(bytes.subarray(start, end + 1))
    .digest('hex');

const ranges: [number, number][] = [
  [0, size - 1],
  [1, size - 2],
  [5 * mib + 7, 23 * mib + 1],
  [0, mib - 1],
  [0, mib],
  [3, mib + largeBytes + 2],
  [size - 1, size - 1],
  [7, 7 + 64 * 1024],
];

describe('the response body of a file', () => {
  test.each(ranges)(
    'sends the bytes from %d to %d unchanged to concurrent clients',
    async (...range) => {
      const all = Array.from({ length: 4 }, async (_, index) =>
        readAndHash(await open('random', ...range), index % 2 === 1),
      );
      expect(new Set(await Promise.all(all))).toEqual(new Set([hashOf(...range)]));
      expect(buffers.inUse).toBe(0);
    },
  );

  test('reads large pieces for a fast client, but small ones within the first MiB', async () => {
    const reads = new Set<number>();
    let least = Number.POSITIVE_INFINITY;
    beforeRead = (wanted, position) => {
      reads.add(wanted);
      if (wanted > 64 * 1024) least = Math.min(least, position);
    };
    await readAndHash(await open('zeros', 0, 64 * mib - 1), false);
    expect(reads).toEqual(new Set([64 * 1024, largeBytes]));
    expect(least).toBeGreaterThanOrEqual(mib);
  });

  test('uses at most 32 large buffers for 48 clients that pause, and releases them', async () => {
    const files = openFiles();
    const readers = await Promise.all(
      Array.from({ length: 48 }, () => open('zeros', 0, 1024 * mib - 1)),
    );
    const fast = readers.map(async (reader) => {
      let count = 0;
      reader.on('data', (piece) => {
        count += piece.length;
        if (count > 4 * mib) reader.pause();
      });
      await once(reader, 'pause');
    });
    await Promise.all(fast);
    expect(buffers.inUse).toBeLessThanOrEqual(32);
    // A later client is also served.
    expect(await readAndHash(await open('random', 0, size - 1), false)).toBe(hashOf(0, size - 1));
    for (const reader of readers) reader.on('error', () => undefined).destroy();
    await expect.poll(() => buffers.inUse).toBe(0);
    await expect.poll(openFiles).toBeLessThanOrEqual(files);
  });

  test('aborts the connection when the file becomes shorter than announced', async () => {
    for (const cut of [10_000, 3 * mib + 1]) {
      const path = join(server.folder, 'shrinking');
      fs.writeFileSync(path, bytes.subarray(0, 12 * mib));
      beforeRead = (_wanted, position) => {
        if (position >= cut) fs.truncateSync(path, cut);
      };
      const response = await open('shrinking', 0, 12 * mib - 1);
      await expect(readAndHash(response, false)).rejects.toThrow('aborted');
      await expect.poll(() => buffers.inUse).toBe(0);
    }
  });

  test('has wrong bytes if a planted fault refills a buffer before it is sent', async () => {
    buffers = new (class extends LargeBuffers {
      override acquire() {
        const pair = super.acquire();
        return pair && ([pair[0], pair[0]] as const);
      }
    })();
    expect(await readAndHash(await open('random', 0, size - 1), true)).not.toBe(
      hashOf(0, size - 1),
    );
  });
});
