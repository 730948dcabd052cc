/** @module-tag full */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';
import { emptyDatabase, fill, query } from '../../cli/copies/copied-catalogue.ts';
import { testedDatabases } from '../../support/data/databases.ts';
import { freePort } from '../../support/free-port.ts';
import { openSandbox, type Sandbox } from '../../support/process.ts';
import { startCuttingProxy } from '../../support/s3/cutting-proxy.ts';
import { listKeys } from '../../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../../support/s3/radosgw.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { settingsOf } from '../../support/s3/settings.ts';

const hasServer = testedDatabases().length > 1;

describe.skipIf(s3SkipReason !== null)(`an unusable bucket ${s3SkipReason ?? ''}`, () => {
  let s3: S3Server;
  let sandbox: Sandbox;
  let bucket: BucketConfig;
  /** Settings of a catalogue in the bucket, in addition to the catalogue in the data folder. */
  let served: Record<string, string>;
  let other: string;
  beforeAll(async () => {
    s3 = await startS3();
    sandbox = await openSandbox();
    await fill(sandbox);
    bucket = await s3.newBucket();
    served = settingsOf(sandbox, bucket);
    const { CATALOG_FILES: place = '', ...keys } = served;
    other = join(sandbox.folder, 'other');
    const copy = ['copy', '--to', other, '--files-to', place];
    expect(await sandbox.run(copy, { env: keys })).toMatchObject({ code: 0, stderr: '' });
    const backup = ['backup', join(sandbox.folder, 'a.tar'), '--store'];
    expect(await sandbox.run(backup)).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await sandbox?.close();
    await s3?.stop();
  });

  const faults: readonly [string, () => Promise<Record<string, string>>, string][] = [
    ['does not exist', async () => ({ CATALOG_FILES: 's3://nobucket/home' }), 'NoSuchBucket'],
    [
      'refuses the key',
      async () => ({ CATALOG_S3_SECRET_KEY: 'another' }),
      'SignatureDoesNotMatch',
    ],
    [
      'is unreachable',
      async () => ({ CATALOG_S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` }),
      'connect ECONNREFUSED',
    ],
  ];

  /** Returns an expectation of one line that contains the bucket and the reason. */
  const line = (env: Record<string, string>, reason: string) =>
    expect.stringMatching(
      new RegExp(
        `^catalog: cannot write into the bucket ${env.CATALOG_FILES?.split('/')[2]} at ${env.CATALOG_S3_ENDPOINT}: ${reason}[^\\n]*\\n$`,
      ),
    );

  test.each(faults)('is reported in one line when it %s', async (_what, fault, reason) => {
    const wrong = { ...served, ...(await fault()) };
    const { CATALOG_FILES: place = '', ...keys } = wrong;
    const before = await listKeys(bucket);
    const never = join(sandbox.folder, 'never');
    const tar = join(sandbox.folder, 'a.tar');
    const refused = { code: 1, stderr: line(wrong, reason) };

    const copy = ['copy', '--to', never, '--files-to', place];
    expect(await sandbox.run(copy, { env: keys })).toMatchObject(refused);
    const back = ['copy', '--data', other, '--to', never, '--files-to', never];
    expect(await sandbox.run(back, { env: wrong })).toMatchObject(refused);
    const restore = ['restore', tar, '--data', never];
    expect(await sandbox.run(restore, { env: wrong })).toMatchObject(refused);
    const backup = ['backup', join(never, '..', 'never.tar'), '--store', '--data', other];
    expect(await sandbox.run(backup, { env: wrong })).toMatchObject(refused);
    expect([never, `${never}.tar`].filter(existsSync)).toEqual([]);
    expect((await readdir(sandbox.data)).filter((name) => /^copied-files/.test(name))).toEqual([]);
    expect(await listKeys(bucket)).toEqual(before);
  });

  test('is reported with the reason when it becomes unreachable during a copy', async () => {
    const proxy = await startCuttingProxy(bucket.endpoint);
    onTestFinished(() => proxy.stop());
    const { CATALOG_FILES: place = '', ...keys } = {
      ...served,
      CATALOG_S3_ENDPOINT: proxy.endpoint,
    };
    const tried = proxy.hold('PUT ');
    const never = join(sandbox.folder, 'never-whole');
    const copying = sandbox.run(['copy', '--to', never, '--files-to', `${place}/gone`], {
      env: keys,
    });
    await tried.arrived; // the PUT that checks whether the bucket is writable
    const sent = proxy.hold('PUT ');
    tried.release();
    await sent.arrived;
    proxy.stop();
    expect(await copying).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^catalog: busy: the bucket \S+ at \S+: (connect ECONNREFUSED|read ECONNRESET|socket hang up)[^\n]*, try again\n$/,
      ),
    });
  });

  test.runIf(hasServer)('keeps an empty database empty at the start of a server', async () => {
    const databaseUrl = await emptyDatabase();
    const wrong = { ...served, CATALOG_DATABASE: databaseUrl, CATALOG_FILES: 's3://nobucket/home' };
    const data = ['--data', join(sandbox.folder, 'never')];
    expect(await sandbox.run(['serve', '--port', '0', ...data], { env: wrong })).toMatchObject({
      code: 1,
      stderr: line(wrong, 'NoSuchBucket'),
    });
    const { rows } = await query(databaseUrl, `SELECT to_regclass('schema_version') AS name`);
    expect(rows).toEqual([{ name: null }]);
  });
});
