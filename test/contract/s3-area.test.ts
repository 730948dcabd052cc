import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { Bucket } from '../../src/files/s3/bucket.ts';
import { objectArea } from '../../src/files/s3/object-area.ts';
import type { Engine } from '../../src/sql/engine.ts';
import { SqlObjectRecords } from '../../src/sql/objects.ts';
import { lackOfS3, type S3Server, startS3 } from '../support/s3/radosgw.ts';
import { engines } from './engines.ts';
import { fileAreaContract } from './file-area.ts';

describe.skipIf(lackOfS3 !== null)(`an area on S3 ${lackOfS3 ?? ''}`, () => {
  const tmp = mkdtempSync(join(tmpdir(), 'catalog-s3-area-'));
  let server: S3Server;
  let bucket: Bucket;
  beforeAll(async () => {
    server = await startS3();
    bucket = new Bucket(await server.newBucket());
  });
  afterAll(async () => {
    await bucket?.close();
    await server?.stop();
    rmSync(tmp, { recursive: true });
  });

  // Not on all: the rows are compared on each in object-records.test.ts.
  describe.each(engines.slice(0, 2))('with $name', (one) => {
    let engine: Engine;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ engine, close } = await one.open());
    });
    afterAll(() => close());
    fileAreaContract(async () => {
      const records = new SqlObjectRecords({ engine });
      return objectArea({ area: randomUUID(), bucket, records, tmp });
    });
  });
});
