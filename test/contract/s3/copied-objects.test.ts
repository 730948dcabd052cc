import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { FilesDestination } from '../../../src/core/backups/copies/ports.ts';
import { filesInBucket } from '../../../src/files/s3/files-in-bucket.ts';
import { clientOf, listKeys } from '../../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../../support/s3/radosgw.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';

const file = { name: 'a.zip', size: 3, mtimeNs: 1n, etag: 'a' };

async function* bytesOf(text: string, betweenPieces = async () => {}) {
  yield Buffer.from(text.slice(0, 1));
  await betweenPieces();
  yield Buffer.from(text.slice(1));
}

async function textOf(place: FilesDestination): Promise<string | null> {
  const there = await place.find('games', file);
  if (there === null) return null;
  let text = '';
  for await (const piece of there.bytes()) text += Buffer.from(piece).toString();
  return text;
}

describe.skipIf(s3SkipReason !== null)(`a copy of files to a bucket ${s3SkipReason ?? ''}`, () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3?.stop());

  test('keeps an object until its replacement is complete, even after a failure', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-copied-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const of = await s3.newBucket();
    const settings = {
      files: `s3://${of.bucket}/${of.prefix}`,
      s3Endpoint: of.endpoint,
      s3Region: of.region,
      s3AccessKey: of.accessKey,
      s3SecretKey: of.secretKey,
    };
    const open = async () => {
      const record = join(folder, 'copied.jsonl');
      const place = await filesInBucket({ settings, record, tmp: folder });
      onTestFinished(() => place.close());
      return place;
    };
    await (await open()).put('games', file, bytesOf('one'));
    const before = await listKeys(of);
    expect(before).toHaveLength(1);

    const failing = (await open()).put(
      'games',
      file,
      bytesOf('two', async () => {
        expect(await listKeys(of)).toEqual(before);
        throw new Error('the source is away');
      }),
    );
    await expect(failing).rejects.toThrow('the source is away');
    const next = await open();
    expect(await listKeys(of)).toEqual(before);
    expect(await textOf(next)).toBe('one');

    await next.put('games', file, bytesOf('two'));
    const after = await listKeys(of);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    // The state if the process is killed before it removes the previous object.
    const client = clientOf(of);
    const [former = ''] = before;
    await client.send(new PutObjectCommand({ Bucket: of.bucket, Key: former, Body: 'one' }));
    client.destroy();
    expect(await textOf(await open())).toBe('two');
    expect(await listKeys(of)).toEqual(after);
  });
});
