/** @module-tag full */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Limiter } from '../../../src/core/shared/concurrency/limiter.ts';
import { withClient } from '../../../src/core/shared/requests/client-context.ts';
import { HashThread } from '../../../src/files/hashes/hash-thread.ts';
import { Bucket } from '../../../src/files/s3/client/bucket.ts';
import { dropPieces } from '../../../src/files/s3/client/drop-objects.ts';
import { objectArea } from '../../../src/files/s3/object-area.ts';
import { ObjectReader } from '../../../src/files/s3/object-reader.ts';
import { ObjectWriter } from '../../../src/files/s3/object-writer.ts';
import { openObject } from '../../../src/files/s3/open-object.ts';
import { sweepObjects } from '../../../src/files/s3/sweep-objects.ts';
import { ensureMultipart } from '../../../src/files/s3/uploads/join-pieces.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { SqlObjectRecords } from '../../../src/sql/store/object-records.ts';
import { SqlObjectUploadRecords } from '../../../src/sql/uploads/object-uploads.ts';
import { type FakeS3, sendS3Error, startFakeS3 } from '../../support/s3/fake-s3.ts';
import { openUnreachablePort } from '../../support/s3/unreachable-port.ts';
import { engines } from '../fixtures/engines.ts';

const orphanMs = 24 * 60 * 60_000;

// These tests cover responses that a real server sends only rarely.
const mib = 2 ** 20;
const tmp = mkdtempSync(join(tmpdir(), 'catalog-s3-requests-'));
let engine: Engine;
let close: () => Promise<void>;
let records: SqlObjectRecords;
beforeAll(async () => {
  ({ engine, close } = await (engines[0] as (typeof engines)[number]).open());
  records = new SqlObjectRecords({ engine });
});
afterAll(async () => {
  await close();
  rmSync(tmp, { recursive: true });
});

async function startFakeStore(
  respond: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ server: FakeS3; bucket: Bucket }> {
  const server = await startFakeS3(respond);
  const bucket = new Bucket(server.address);
  onTestFinished(async () => {
    await bucket.close();
    server.stop();
  });
  return { server, bucket };
}

const object = (size: number) => ({ name: 'a', key: 'games/a', size, mtimeNs: 1n, sha256: '' });

const content = randomBytes(5 * mib);

/** Reads a whole object. Calls `onPiece` with each piece. */
async function wholeOf(object: ObjectReader, onPiece?: () => Promise<void>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await object.readAll((piece) => {
    pieces.push(Buffer.from(piece));
    return onPiece?.();
  });
  return Buffer.concat(pieces);
}

/** Sends the response header for the requested range. Returns the length of the range. */
function head(request: IncomingMessage, response: ServerResponse): number {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const length = Number(end) + 1 - Number(start);
  response.writeHead(206, { 'content-length': length });
  return length;
}

describe('the S3 client', () => {
  test('sends no more requests and closes the connection when reading stops midway', async () => {
    const { server, bucket } = await startFakeStore((request, response) => {
      head(request, response);
      response.write(Buffer.alloc(32 * 1024)); // sends no further bytes
    });
    const stream = openObject(bucket, object(20 * mib)).stream();
    for await (const _ of stream.iterator({ destroyOnReturn: false })) break;
    stream.read();
    await setTimeout(50); // the stream is waiting for bytes
    stream.destroy();
    await expect.poll(() => server.connections.size).toBe(0);
    await setTimeout(100);
    expect(server.requests).toEqual(['GET games/a']);
  });

  test('closes the connection when reading stops before a response begins', async () => {
    const { server, bucket } = await startFakeStore(async (request, response) => {
      await setTimeout(200);
      const length = head(request, response);
      response.write(Buffer.alloc(length / 2));
    });
    const stream = openObject(bucket, object(20 * mib)).stream();
    stream.read();
    await expect.poll(() => server.requests.length).toBe(1);
    stream.destroy();
    await setTimeout(300);
    await expect.poll(() => server.connections.size).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('requests exactly the given range and reuses the connection', async () => {
    const ranges: unknown[] = [];
    const { server, bucket } = await startFakeStore((request, response) => {
      ranges.push(request.headers.range);
      response.end(Buffer.alloc(head(request, response)));
    });
    for (let turn = 0; turn < 3; turn += 1) {
      const stream = openObject(bucket, object(20 * mib)).stream({ start: 5, end: 104 });
      expect(await buffer(stream)).toHaveLength(100);
      await setTimeout(20);
    }
    expect(ranges).toEqual(Array.from({ length: 3 }, () => 'bytes=5-104'));
    expect(server.connections.size).toBe(1);
  });

  test('reads a whole object with one request, and the next on the same connection', async () => {
    const ranges: unknown[] = [];
    const { server, bucket } = await startFakeStore((request, response) => {
      ranges.push(request.headers.range);
      response.end(content.subarray(0, head(request, response)));
    });
    for (let turn = 0; turn < 2; turn += 1) {
      const reader = new ObjectReader(bucket, object(content.length));
      expect(await wholeOf(reader)).toEqual(content);
      reader.close();
    }
    expect(ranges).toEqual([1, 2].map(() => `bytes=0-${content.length - 1}`));
    expect(server.connections.size).toBe(1);
  });

  test('reads no further piece of a whole object until the previous one was used', async () => {
    const { bucket } = await startFakeStore((request, response) => {
      response.end(content.subarray(0, head(request, response)));
    });
    let using = 0;
    const read = wholeOf(new ObjectReader(bucket, object(content.length)), async () => {
      using += 1;
      expect(using).toBe(1);
      await setTimeout(1);
      using -= 1;
    });
    expect(await read).toEqual(content);
  });

  test('requests the rest of an interrupted object, and fails if no bytes arrive', async () => {
    const starts: number[] = [];
    let bytesBeforeEnd = mib;
    const { bucket } = await startFakeStore((request, response) => {
      const start = Number(/^bytes=(\d+)/.exec(request.headers.range ?? '')?.[1]);
      starts.push(start);
      head(request, response);
      const some = content.subarray(start, start + bytesBeforeEnd);
      response.write(some, () => response.destroy());
    });
    expect(await wholeOf(new ObjectReader(bucket, object(content.length)))).toEqual(content);
    expect(starts[0]).toBe(0);
    expect(starts.length).toBeGreaterThan(1);

    bytesBeforeEnd = 0;
    const broken = wholeOf(new ObjectReader(bucket, object(content.length)));
    await expect(broken).rejects.toThrow();
  });

  test.each([
    [
      'at once',
      () => {
        throw new Error('enough');
      },
    ],
    ['later', () => setTimeout(1).then(() => Promise.reject(new Error('enough')))],
  ])('stops reading a whole object when the consumer of a piece fails %s', async (_, fail) => {
    const { server, bucket } = await startFakeStore((request, response) => {
      head(request, response);
      response.write(content.subarray(0, mib)); // sends no further bytes
    });
    const reader = new ObjectReader(bucket, object(content.length));
    await expect(reader.readAll(fail)).rejects.toThrow('enough');
    await expect.poll(() => server.connections.size).toBe(0);
    expect(server.requests).toEqual(['GET games/a']);
  });

  test('closes the connection when a response arrives before the body was sent', async () => {
    const { server, bucket } = await startFakeStore((_request, response) =>
      sendS3Error(response, 403, 'AccessDenied'),
    );
    async function* stalling() {
      yield Buffer.alloc(mib);
      await setTimeout(60_000, undefined, { ref: false });
    }
    const warnings: unknown[] = [];
    const listen = vi
      .spyOn(console, 'warn')
      .mockImplementation((...words) => void warnings.push(words));
    onTestFinished(() => listen.mockRestore());
    const open = async () => Readable.from(stalling(), { objectMode: false });
    await expect(bucket.putStream('games/large', 20 * mib, open)).rejects.toThrow('AccessDenied');
    await expect.poll(() => server.connections.size, { timeout: 2_000 }).toBe(0);
    expect(warnings).toEqual([]); // only the program's own log may report the error
  });

  test('reports a store that repeatedly responds late as busy within 5 s', async () => {
    const { bucket } = await startFakeStore(async (_request, response) => {
      await setTimeout(1_050);
      sendS3Error(response, 503, 'SlowDown');
    });
    const since = performance.now();
    await expect(bucket.put('games/a', Buffer.from('x'))).rejects.toMatchObject({ kind: 'busy' });
    expect(performance.now() - since).toBeLessThan(4_500);
  });

  test('reports an unreachable store as busy within 5 s, whatever is sent', async () => {
    const { endpoint, close } = await openUnreachablePort();
    const keys = { accessKey: 'key', secretKey: 'secret' };
    const bucket = new Bucket({ bucket: 'b', prefix: '', region: 'x', endpoint, ...keys });
    onTestFinished(async () => {
      await bucket.close();
      close();
    });
    const since = performance.now();
    const open = async () => Readable.from([Buffer.alloc(mib)]);
    const writes = [
      bucket.put('games/a', Buffer.from('x')),
      bucket.putStream('games/b', mib, open),
    ];
    for (const each of writes) await expect(each).rejects.toMatchObject({ kind: 'busy' });
    expect(performance.now() - since).toBeLessThan(5_000);
  }, 20_000);

  test('deletes other orphans even if one cannot be deleted', async () => {
    const { server, bucket } = await startFakeStore((request, response) => {
      if (request.method === 'GET') response.end('<ListMultipartUploadsResult/>');
      else if (request.url?.includes('locked')) sendS3Error(response, 403, 'AccessDenied');
      else response.writeHead(204).end();
    });
    for (const key of ['games/locked', 'games/b']) await records.recordOrphan(key);
    await engine.write((trx) => trx.updateTable('orphan_object').set({ since: 0 }).execute());
    await expect(sweepObjects(bucket, records, orphanMs)).rejects.toThrow('AccessDenied');
    expect(server.requests).toContain('DELETE games/b');
    // One sweep handles at most a hundred orphans. The next sweeps therefore handle an orphan that
    // could not be deleted last.
    expect(await records.claimOld(orphanMs, 10)).toEqual([]);
    expect(await records.claimOld(-1, 10)).toEqual(['games/locked']);
    await records.forget('games/locked');
  });

  test.each([
    ['a small file', 1],
    ['a file of one part', mib],
  ])('records a key again right before it sends %s', async (_what, size) => {
    const { server, bucket } = await startFakeStore((_request, response) => response.end());
    const requestCounts: number[] = [];
    const onPart = async () => void requestCounts.push(server.requests.length);
    const writer = new ObjectWriter({ bucket, key: 'games/a', tmp, onPart });
    await writer.write(Buffer.alloc(size));
    await writer.end();
    await writer.close();
    expect([requestCounts, server.requests]).toEqual([[0], ['PUT games/a']]);
  });

  test('does not treat a missing bucket as a missing object', async () => {
    const { bucket } = await startFakeStore((_request, response) =>
      sendS3Error(response, 404, 'NoSuchBucket'),
    );
    await expect(bucket.remove('games/a')).rejects.toThrow('NoSuchBucket');
  });

  test('stops deleting the pieces of an upload after the first failure', async () => {
    const { server, bucket } = await startFakeStore((_request, response) =>
      sendS3Error(response, 403, 'AccessDenied'),
    );
    const keys = ['games/1', 'games/2', 'games/3'];
    for (const key of keys) await records.recordOrphan(key);
    await dropPieces({ bucket, records }, keys);
    expect(server.requests).toEqual(['DELETE games/1']);
    expect((await records.claimOld(-1, 10)).sort()).toEqual(keys);
    for (const key of keys) await records.forget(key);
  });

  test('aborts a multipart upload if its upload was replaced meanwhile', async () => {
    const uploads = new SqlObjectUploadRecords({ engine });
    await uploads.begin('folder', 'games/old');
    const { server, bucket } = await startFakeStore(async (request, response) => {
      if (request.method === 'POST') {
        await uploads.begin('folder', 'games/new');
        response.end('<r><UploadId>1</UploadId></r>');
      } else if (request.method === 'GET') {
        const one = '<Upload><Key>games/old</Key><UploadId>1</UploadId></Upload>';
        response.end(`<ListMultipartUploadsResult>${one}</ListMultipartUploadsResult>`);
      } else response.writeHead(204).end();
    });
    const parts = { bucket, records, uploads, tmp, joins: new Limiter(1) };
    const old = { folder: 'folder', key: 'games/old', partsId: null, wholeSize: null, pieces: [] };
    await expect(ensureMultipart(parts, old)).rejects.toThrow('damaged upload');
    expect(server.requests).toContain('DELETE games/old?uploadId');
  });

  test('looks up all files that a client requests together in one statement', async () => {
    const lookups: number[] = [];
    const counting = new (class extends SqlObjectRecords {
      override findAll(area: string, names: readonly string[]) {
        lookups.push(names.length);
        return super.findAll(area, names);
      }
    })({ engine });
    const { bucket } = await startFakeStore((_, response) => response.end());
    const area = objectArea({
      area: 'covers',
      bucket,
      records: counting,
      hashes: new HashThread(),
      tmp,
    });
    await records.recordOrphan('covers/7');
    await records.publish('covers', { ...object(1), name: '7.png', key: 'covers/7' });
    const names = Array.from({ length: 1_500 }, (_, i) => `${i}.png`);
    const find = () => Promise.all(names.map((name) => area.find(name)));
    const client = (network: string) => ({ network, signal: new AbortController().signal });
    const found = await Promise.all([withClient(client('a'), find), withClient(client('b'), find)]);
    for (const files of found) {
      expect(files.flatMap((file) => file?.name ?? [])).toEqual(['7.png']);
    }
    expect(lookups).toEqual([1_500, 1_500]);
    expect(await area.find('7.png')).toMatchObject({ size: 1 });
  });
});
