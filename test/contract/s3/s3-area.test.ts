/** @module-tag full */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { HashThread } from '../../../src/files/hashes/hash-thread.ts';
import { Bucket } from '../../../src/files/s3/client/bucket.ts';
import { objectArea } from '../../../src/files/s3/object-area.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { SqlObjectRecords } from '../../../src/sql/store/object-records.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { s3Servers } from '../../support/s3/servers.ts';
import { engines } from '../fixtures/engines.ts';
import { fileAreaContract } from '../suites/file-area.ts';

const suite = ({ start, engines: used }: (typeof s3Servers)[number]) => {
  const tmp = mkdtempSync(join(tmpdir(), 'catalog-s3-area-'));
  const hashes = new HashThread();
  let server: S3Server;
  let bucket: Bucket;
  beforeAll(async () => {
    server = await start();
    bucket = new Bucket(await server.newBucket());
  });
  afterAll(async () => {
    await hashes.close();
    await bucket?.close();
    await server?.stop();
    rmSync(tmp, { recursive: true });
  });

  // The suite does not run on all engines, because object-records.test.ts compares the rows on
  // every engine.
  describe.each(engines.slice(0, used))('with $name', (one) => {
    let engine: Engine;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ engine, close } = await one.open());
    });
    afterAll(() => close());
    fileAreaContract(async () => {
      const records = new SqlObjectRecords({ engine });
      return objectArea({ area: randomUUID(), bucket, records, hashes, tmp });
    });
  });
};

for (const server of s3Servers) {
  const title = `an area on S3 of ${server.name} ${server.skipReason ?? ''}`;
  describe.skipIf(server.skipReason !== null)(title, () => suite(server));
}
