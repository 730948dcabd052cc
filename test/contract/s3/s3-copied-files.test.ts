/** @module-tag full */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredFile } from '../../../src/core/shared/files/file-area.ts';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';
import { filesInBucket } from '../../../src/files/s3/files-in-bucket.ts';
import { listKeys } from '../../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../../support/s3/radosgw.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { chunks } from '../suites/file-area.ts';

const contentOf = (name: string) => Buffer.from(`the bytes of ${name}`);
const fileOf = (name: string): StoredFile => {
  return { name, size: contentOf(name).byteLength, mtimeNs: 1n, etag: '"x"' };
};

describe.skipIf(s3SkipReason !== null)(
  `a repeated copy of files to a bucket ${s3SkipReason ?? ''}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'catalog-s3-copied-'));
    const record = join(folder, 'record.jsonl');
    let server: S3Server;
    let address: BucketConfig;
    beforeAll(async () => {
      server = await startS3();
      address = await server.newBucket();
    });
    afterAll(async () => {
      await server?.stop();
      rmSync(folder, { recursive: true });
    });

    /**
     * Runs a copy that stores some files and finds other files in the bucket. Then the copy ends or
     * is aborted.
     */
    async function copy(names: { puts?: string[]; finds?: string[] }, isBrokenOff: boolean) {
      const files = `s3://${address.bucket}/${address.prefix}`;
      const place = await filesInBucket({ settings: settingsOf(files), record, tmp: folder });
      const found: string[] = [];
      for (const name of names.finds ?? []) {
        if ((await place.find('games', fileOf(name))) !== null) found.push(name);
      }
      for (const name of names.puts ?? []) {
        await place.put('games', fileOf(name), chunks(contentOf(name)));
      }
      if (!isBrokenOff) {
        await place.removeUnused();
        await place.end();
      }
      await place.close();
      return found;
    }
    const settingsOf = (files: string) => ({
      files,
      s3Endpoint: address.endpoint,
      s3Region: address.region,
      s3AccessKey: address.accessKey,
      s3SecretKey: address.secretKey,
    });

    test('recognises copied files with a truncated record, and removes unused ones', async () => {
      await copy({ puts: ['a', 'b', '大神'] }, true);
      appendFileSync(record, Buffer.from('{"key":"games/1","name":"大').subarray(0, -1));
      expect(await copy({ finds: ['a'], puts: ['c'] }, true)).toEqual(['a']);
      for (const line of readFileSync(record, 'utf8').trim().split('\n')) JSON.parse(line);
      expect(await listKeys(address)).toHaveLength(4);
      const wanted = ['a', '大神', 'c', 'never sent'];
      expect(await copy({ finds: wanted, puts: ['d'] }, false)).toEqual(['a', '大神', 'c']);
      expect(await listKeys(address)).toHaveLength(4); // b was removed and d was added
      expect(existsSync(record)).toBe(false);
    });
  },
);
