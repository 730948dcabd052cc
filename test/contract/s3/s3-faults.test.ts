/** @module-tag full */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileArea } from '../../../src/core/shared/files/file-area.ts';
import type { UploadFiles } from '../../../src/core/uploads/ports.ts';
import { HashThread } from '../../../src/files/hashes/hash-thread.ts';
import { manuallyAddedObjects } from '../../../src/files/s3/adoptable-objects.ts';
import { Bucket } from '../../../src/files/s3/client/bucket.ts';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';
import { objectArea } from '../../../src/files/s3/object-area.ts';
import { ObjectSweeper, sweepObjects } from '../../../src/files/s3/sweep-objects.ts';
import { objectUploads } from '../../../src/files/s3/uploads/object-uploads.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { SqlObjectRecords } from '../../../src/sql/store/object-records.ts';
import { SqlObjectUploadRecords } from '../../../src/sql/uploads/object-uploads.ts';
import { leasesIn } from '../../support/data/leases.ts';
import { freeze } from '../../support/freeze.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/s3/cutting-proxy.ts';
import { listKeys, listMultipartUploads } from '../../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../../support/s3/radosgw.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { engines } from '../fixtures/engines.ts';
import { chunks, open, read, store } from '../suites/file-area.ts';

const orphanMs = 24 * 60 * 60_000;

const mib = 2 ** 20;
const [sqlite] = engines;

describe.skipIf(s3SkipReason !== null)(`an S3 store with faults ${s3SkipReason ?? ''}`, () => {
  const tmp = mkdtempSync(join(tmpdir(), 'catalog-s3-faults-'));
  const hashes = new HashThread();
  let server: S3Server;
  let proxy: CuttingProxy;
  let engine: Engine;
  let close: () => Promise<void>;
  let bucket: Bucket;
  let address: BucketConfig;
  let area: FileArea;
  let records: SqlObjectRecords;
  beforeAll(async () => {
    server = await startS3();
    proxy = await startCuttingProxy(server.endpoint);
    ({ engine, close } = await (sqlite as (typeof engines)[number]).open());
    address = { ...(await server.newBucket()), endpoint: proxy.endpoint };
    bucket = new Bucket(address);
    records = new SqlObjectRecords({ engine });
    area = objectArea({ area: 'games', bucket, records, hashes, tmp });
  });
  afterAll(async () => {
    await hashes.close();
    await bucket?.close();
    proxy?.stop();
    await close?.();
    await server?.stop();
    rmSync(tmp, { recursive: true });
  });

  /** Runs work that must fail. Resolves after the store has executed the work's removal request. */
  async function whileRemoved(fails: () => Promise<void>): Promise<void> {
    const removed = proxy.hold('DELETE /');
    const failing = fails();
    await removed.arrived;
    removed.release();
    await failing;
  }

  /** Expects one object more than before. Expects that the sweep then removes this object. */
  async function expectSwept(before: readonly string[]): Promise<void> {
    const [key, ...others] = (await listKeys(address)).filter((each) => !before.includes(each));
    expect([typeof key, others]).toEqual(['string', []]);
    await engine.write((trx) => trx.updateTable('orphan_object').set({ since: 0 }).execute());
    await sweepObjects(bucket, records, orphanMs);
    expect(await listKeys(address)).not.toContain(key);
  }

  test('stores a large file in parts, and returns the hash of the whole file', async () => {
    const bytes = randomBytes(17 * mib + 1);
    const staged = await area.stage(chunks(bytes, 300_001));
    expect(staged.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    await staged.publish('large');
    expect((await read(area, 'large')).equals(bytes)).toBe(true);
    expect(readdirSync(tmp)).toEqual([]);
    expect(await listMultipartUploads(address)).toEqual([]);
  });

  test('requests the rest of an interrupted response', async () => {
    const bytes = randomBytes(10 * mib);
    await store(area, 'cut', bytes);
    proxy.cutAfter(700_000);
    const before = proxy.cuts;
    try {
      expect((await read(area, 'cut')).equals(bytes)).toBe(true);
      expect(proxy.cuts - before).toBeGreaterThan(10);
      const part = await buffer((await open(area, 'cut')).stream({ start: 5, end: 4 * mib }));
      expect(part.equals(bytes.subarray(5, 4 * mib + 1))).toBe(true);
    } finally {
      proxy.cutAfter(null);
    }
  });

  test('fails as busy instead of returning an incomplete object', async () => {
    await store(area, 'half', randomBytes(20 * mib));
    const stream = (await open(area, 'half')).stream();
    let receivedBytes = 0;
    const reading = (async () => {
      for await (const piece of stream) {
        receivedBytes += piece.length;
        if (receivedBytes > mib / 2) proxy.cutAfter(0);
      }
    })();
    await expect(reading.finally(() => proxy.cutAfter(null))).rejects.toMatchObject({
      kind: 'busy',
    });
    expect(receivedBytes).toBeLessThan(20 * mib);
  });

  test.each([
    ['one piece', 'knows', 32, 11],
    ['one piece', 'does not know', 32, 11],
    ['a part', 'knows', 2, 4 * mib],
    ['a part', 'does not know', 2, 4 * mib],
  ])(
    'keeps every byte while pieces become %s under a writer that %s of the takeover',
    async (_what, isKnown, pieces, size) => {
      const direct = new Bucket({ ...address, endpoint: server.endpoint });
      const uploads = new SqlObjectUploadRecords({ engine });
      const [late, other] = [bucket, direct].map((each) =>
        objectUploads({ bucket: each, records, uploads, tmp }),
      ) as [UploadFiles, UploadFiles];
      const place = { system: 'games', folder: randomUUID(), filename: 'a.zip' } as const;
      const bytes = randomBytes((pieces + 2) * size);
      const chunkAt = (at: number) => chunks(bytes.subarray(size * at, size * (at + 1)));
      for (let at = 0; at < pieces; at += 1) await other.append(place, size * at, chunkAt(at));
      let isHeld = true;
      const beforeWrite = () => {
        if (!isHeld && isKnown === 'knows') throw new Error('not held any more');
      };
      const nothing = async () => undefined;
      const join = proxy.hold('PUT /');
      const watch = { beforeWrite, onBytes: nothing, check: nothing };
      const appended = late.append(place, size * pieces, chunkAt(pieces), watch);
      const failure = appended.then(
        () => null,
        (error: Error) => error,
      );
      await join.arrived;
      for (const at of [pieces, pieces + 1]) await other.append(place, size * at, chunkAt(at));
      isHeld = false;
      join.release();
      expect((await failure)?.message).toBe(isKnown === 'knows' ? 'not held any more' : 'busy');
      const file = await other.open(place);
      expect(file && (await buffer(file.stream())).equals(bytes)).toBe(true);
      await direct.close();
    },
  );

  test('fails to read an object that is missing or has another length', async () => {
    for (const [name, size] of [
      ['none', 5],
      ['short', 5],
    ] as const) {
      const key = `games/${name}`;
      await records.recordOrphan(key);
      if (name === 'short') await bucket.put(key, Buffer.from('abc'));
      await records.publish('games', { name, key, size, mtimeNs: 1n, sha256: '' });
      await expect(read(area, name)).rejects.toThrow(`the bucket ${address.bucket} at http`);
      await area.remove(name);
    }
  });

  test('sweeps an object that the server creates after its request timed out', async () => {
    const before = await listKeys(address);
    const late = proxy.delay('PUT /');
    await whileRemoved(() =>
      expect(store(area, 'late', 'text')).rejects.toMatchObject({ kind: 'busy' }),
    );
    await late.forward();
    await expectSwept(before);
  });

  test('sweeps an object that the server creates late from an aborted copy request', async () => {
    await bucket.put('adopt/games/laid', Buffer.from('text'));
    const before = await listKeys(address);
    const late = proxy.delay('x-amz-copy-source');
    const file = { path: 'games/laid', name: 'laid', size: 4, area: 'games' } as const;
    const given = new AbortController();
    const watch = { signal: given.signal, onBytes: () => {} };
    await whileRemoved(async () => {
      const staged = manuallyAddedObjects({ bucket, records }).stage(file, watch);
      const failed = expect(staged).rejects.toThrow('aborted');
      await late.arrived;
      given.abort(); // noticed at the copy's response
      late.cut();
      await failed;
    });
    await late.forward();
    await expectSwept(before);
  });

  test('reports a frozen server as busy within 5 s, and works again afterwards', async () => {
    await store(area, 'there', 'text');
    await freeze(server.gateway.pid);
    try {
      const since = performance.now();
      const busy = { kind: 'busy', retryAfter: 1 };
      await Promise.all([
        expect(store(area, 'new', 'text')).rejects.toMatchObject(busy),
        expect(read(area, 'there')).rejects.toMatchObject(busy),
      ]);
      expect(performance.now() - since).toBeLessThan(5_000);
    } finally {
      server.gateway.kill('SIGCONT');
    }
    expect((await read(area, 'there')).toString()).toBe('text');
    await store(area, 'new', 'text');
  });

  test('reports an unreachable server as busy, and leaves no upload on disk', async () => {
    const elsewhere = new Bucket({ ...address, endpoint: 'http://127.0.0.1:9' });
    const unreachableArea = objectArea({ area: 'games', bucket: elsewhere, records, hashes, tmp });
    const large = Readable.from(chunks(Buffer.alloc(9 * mib)));
    for (const bytes of [chunks(Buffer.from('x')), large]) {
      await expect(unreachableArea.stage(bytes)).rejects.toMatchObject({ kind: 'busy' });
    }
    expect(readdirSync(tmp)).toEqual([]);
    await elsewhere.close();
  });

  test('reports a wrong key with the name of the bucket, but without the key', async () => {
    const wrong = new Bucket({ ...address, secretKey: 'not the secret' });
    const other = objectArea({ area: 'games', bucket: wrong, records, hashes, tmp });
    const failure = await store(other, 'a', 'x').catch((error: Error) => error);
    expect(String(failure)).toContain(`the bucket ${address.bucket} at ${proxy.endpoint}`);
    expect(`${(failure as Error).stack}`).not.toContain('not the secret');
    await wrong.close();
  });

  test('sweeps old orphans and open multipart uploads, but no object with a name', async () => {
    const half = objectArea({ area: 'games', bucket, records, hashes, tmp });
    await store(half, 'named', 'text');
    await records.recordOrphan('games/left');
    await bucket.put('games/left', Buffer.from('left'));
    await records.recordOrphan('games/parts');
    await bucket.beginMultipartUpload('games/parts');
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => void failures.push(error);
    expect(await sweepObjects(bucket, records, orphanMs)).toBe(0);
    expect(await listMultipartUploads(address)).toEqual(['some/where/games/parts']);
    await engine.write((trx) => trx.updateTable('orphan_object').set({ since: 0 }).execute());
    const sweeper = new ObjectSweeper({
      ...{ bucket, records, leases: leasesIn(engine), onFailure },
      keepReplacedMs: orphanMs,
    });
    await expect.poll(() => listMultipartUploads(address)).toEqual([]);
    await sweeper.close();
    expect(failures).toEqual([]);
    expect(await listKeys(address)).not.toContain('some/where/games/left');
    expect((await read(half, 'named')).toString()).toBe('text');
  });
});
