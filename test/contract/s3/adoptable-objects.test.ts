/** @module-tag full */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ManualFile } from '../../../src/core/store/adoption.ts';
import { copyObject, manuallyAddedObjects } from '../../../src/files/s3/adoptable-objects.ts';
import { Bucket } from '../../../src/files/s3/client/bucket.ts';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';
import { openObject } from '../../../src/files/s3/open-object.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { SqlObjectRecords } from '../../../src/sql/store/object-records.ts';
import { listKeys, listMultipartUploads } from '../../support/s3/list-bucket.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { s3Servers } from '../../support/s3/servers.ts';
import { engines } from '../fixtures/engines.ts';

const mib = 2 ** 20;
const [sqlite] = engines;

const suite = ({ start }: (typeof s3Servers)[number]) => {
  let server: S3Server;
  let address: BucketConfig;
  let bucket: Bucket;
  let engine: Engine;
  let close: () => Promise<void>;
  let records: SqlObjectRecords;
  beforeAll(async () => {
    server = await start();
    address = await server.newBucket();
    bucket = new Bucket(address);
    ({ engine, close } = await (sqlite as (typeof engines)[number]).open());
    records = new SqlObjectRecords({ engine });
  });
  afterAll(async () => {
    await bucket?.close();
    await close?.();
    await server?.stop();
  });

  const { signal } = new AbortController();
  const changed = { kind: 'refused', message: expect.stringContaining('it was changed, or went') };
  async function listed(path: string, bytes: Buffer): Promise<ManualFile & { area: 'games' }> {
    await bucket.put(`adopt/${path}`, bytes);
    const objects = manuallyAddedObjects({ bucket, records });
    for await (const file of objects.list())
      if (file.path === path) return { ...file, area: 'games' };
    throw new Error(`${path} was not listed`);
  }

  test('are refused if truncated or removed after listing, and leave nothing', async () => {
    const objects = manuallyAddedObjects({ bucket, records });
    const file = await listed('games/a.zip', Buffer.from('whole'));
    await bucket.put('adopt/games/a.zip', Buffer.from('who'));
    const watch = { signal, onBytes: () => {} };
    await expect(objects.stage(file, watch)).rejects.toMatchObject(changed);
    await bucket.remove('adopt/games/a.zip');
    await expect(objects.stage(file, watch)).rejects.toMatchObject(changed);
    expect(await listKeys(address)).toEqual([]);
  });

  test('are refused if they are overwritten while they are copied', async () => {
    const objects = manuallyAddedObjects({ bucket, records });
    const file = await listed('games/b.zip', Buffer.from('one'));
    // At the start of each request, the file is replaced by other bytes of the same length.
    const requests: Promise<void>[] = [];
    const onBytes = () => void requests.push(bucket.put('adopt/games/b.zip', randomBytes(3)));
    await expect(objects.stage(file, { signal, onBytes })).rejects.toMatchObject(changed);
    await Promise.all(requests);
    expect(await listKeys(address)).toEqual(['some/where/adopt/games/b.zip']);
    await bucket.remove('adopt/games/b.zip');
  });

  test('are adopted as they were read, and a version written afterwards stays', async () => {
    const objects = manuallyAddedObjects({ bucket, records });
    const file = await listed('games/c.zip', Buffer.from('one'));
    const staged = await objects.stage(file, { signal, onBytes: () => {} });
    await bucket.put('adopt/games/c.zip', Buffer.from('two'));
    await staged.publish('c.zip');
    await objects.remove(file);
    expect(await listKeys(address)).toContain('some/where/adopt/games/c.zip');
    const row = await records.find('games', 'c.zip');
    expect(row && (await buffer(openObject(bucket, row).stream())).toString()).toBe('one');
  });

  test('are copied in parts if they are large, and no multipart upload stays open', async () => {
    const bytes = randomBytes(12 * mib + 1);
    await bucket.put('adopt/games/large', bytes);
    let parts = 0;
    const count = async () => {
      parts += 1;
    };
    const from = 'adopt/games/large';
    await copyObject(bucket, { from, to: 'games/copy', size: bytes.length }, count, 5 * mib);
    expect(parts).toBe(4); // one call at the start, and one before each of three parts
    const object = { name: '', key: 'games/copy', size: bytes.length, mtimeNs: 1n, sha256: '' };
    expect((await buffer(openObject(bucket, object).stream())).equals(bytes)).toBe(true);
    expect(await listMultipartUploads(address)).toEqual([]);
  });

  test('are listed beyond one page, with their names unchanged', async () => {
    const names = Array.from({ length: 1_010 }, (_, at) => `games/${at} +%&ü.zip`);
    for (let at = 0; at < names.length; at += 50) {
      const some = names.slice(at, at + 50);
      await Promise.all(some.map((name) => bucket.put(`adopt/${name}`, Buffer.from('x'))));
    }
    const found = new Set<string>();
    for await (const { path } of manuallyAddedObjects({ bucket, records }).list()) found.add(path);
    expect(names.filter((name) => !found.has(name))).toEqual([]);
  });
};

for (const server of s3Servers) {
  const title = `files added manually to a bucket of ${server.name} ${server.skipReason ?? ''}`;
  describe.skipIf(server.skipReason !== null)(title, () => suite(server));
}
