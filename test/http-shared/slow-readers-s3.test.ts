/** @module-tag full */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bucket } from '../../src/files/s3/bucket.ts';
import { openObject } from '../../src/files/s3/open-object.ts';
import { sendFile } from '../../src/http/shared/send-file.ts';
import { lackOfS3, startS3 } from '../support/s3/radosgw.ts';
import type { S3Server } from '../support/s3/s3-server.ts';
import { ask, startServer } from './server.ts';
import { connectSilentReaders } from './silent-readers.ts';

const READERS = 200;
const MIB = 2 ** 20;
const size = 20 * MIB;

describe.skipIf(lackOfS3 !== null)(`slow readers of files on S3 ${lackOfS3 ?? ''}`, () => {
  let s3: S3Server;
  let bucket: Bucket;
  let server: Awaited<ReturnType<typeof startServer>>;
  let port: number;
  const sha256 = createHash('sha256').update(Buffer.alloc(size, 7)).digest('hex');
  beforeAll(async () => {
    s3 = await startS3();
    bucket = new Bucket(await s3.newBucket());
    server = await startServer();
    const object = { name: 'large', key: 'games/large', size, mtimeNs: 1n, sha256 };
    server.app.get('/', (request, reply) =>
      sendFile(request, reply, openObject(bucket, object), { type: 'application/zip' }),
    );
    port = await server.listen();
    await bucket.put(object.key, Buffer.alloc(size, 7));
  });
  afterAll(async () => {
    await server?.stop();
    await bucket?.close();
    await s3?.stop();
  });

  test(`${READERS} that read nothing cost less than 96 MiB and hinder nobody`, async () => {
    for (let i = 0; i < 20; i++) await ask(port, { path: '/' }); // what any traffic needs once
    globalThis.gc?.();
    const { growth, leave } = await connectSilentReaders(port, READERS);
    expect(growth).toBeLessThan(96);
    const { body } = await ask(port, { path: '/' });
    expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
    leave();
  });
});
