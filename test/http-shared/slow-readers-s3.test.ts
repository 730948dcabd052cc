/** @module-tag full */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bucket } from '../../src/files/s3/client/bucket.ts';
import { openObject } from '../../src/files/s3/open-object.ts';
import { sendFile } from '../../src/http/shared/files/send-file.ts';
import { s3SkipReason, startS3 } from '../support/s3/radosgw.ts';
import type { S3Server } from '../support/s3/s3-server.ts';
import { request, startServer, waitUntilFull } from './server.ts';
import { connectSilentReaders } from './silent-readers.ts';

const READERS = 200;
const MIB = 2 ** 20;
/** Maximum number of bytes of a response that this process buffers. */
const MAX_BUFFERED = 256 * 1024;
const size = 20 * MIB;

describe.skipIf(s3SkipReason !== null)(`the sender of files on S3 ${s3SkipReason ?? ''}`, () => {
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

  test(`buffers at most 256 KiB for each of ${READERS} clients that read nothing`, async () => {
    const ends: Socket[] = [];
    const recordSocket = (end: Socket) => ends.push(end);
    server.app.server.on('connection', recordSocket);
    const { leave } = await connectSilentReaders(port, READERS);
    await waitUntilFull(() => (ends.length === READERS ? ends : []));
    server.app.server.off('connection', recordSocket);
    for (const { writableLength } of ends) expect(writableLength).toBeLessThanOrEqual(MAX_BUFFERED);
    const { body } = await request(port, { path: '/' });
    expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
    leave();
  });
});
