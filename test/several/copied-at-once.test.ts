/** @module-tag full */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase, fill, readResponses } from '../cli/copies/copied-catalogue.ts';
import { testedDatabases } from '../support/data/databases.ts';
import { useSandbox } from '../support/process.ts';
import { listKeys } from '../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../support/s3/radosgw.ts';
import type { S3Server } from '../support/s3/s3-server.ts';
import { settingsOf } from '../support/s3/settings.ts';

const hasServer = testedDatabases().length > 1;

describe.runIf(hasServer)('a copy of the database to a server together with the files', () => {
  test('copies the files to another folder', async () => {
    const sandbox = await useSandbox();
    await fill(sandbox);
    const first = await readResponses(sandbox, [], {});
    const [databaseUrl, files] = [await emptyDatabase(), join(sandbox.folder, 'files')];
    const env = { CATALOG_COPY_TO: databaseUrl };
    const copied = await sandbox.run(['copy', '--files-to', files, '--json'], { env });
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(copied.stdout)).toMatchObject({
      database: expect.stringMatching(/^postgres:/),
      files: { place: files, covers: 2, archives: 1 },
    });
    expect((await readdir(files)).includes('catalog.db')).toBe(false);
    const copyEnv = { CATALOG_DATABASE: databaseUrl };
    expect(await readResponses(sandbox, ['--data', files], copyEnv)).toEqual(first);
    const verified = await sandbox.run(['verify', '--data', files], { env: copyEnv });
    expect(verified).toMatchObject({ code: 0 });
  });

  describe.skipIf(s3SkipReason !== null)(`to a bucket ${s3SkipReason ?? ''}`, () => {
    let s3: S3Server;
    beforeAll(async () => {
      s3 = await startS3();
    });
    afterAll(() => s3?.stop());

    test('sends the database and all files there, and copies them back to a folder', async () => {
      const sandbox = await useSandbox();
      await fill(sandbox);
      const first = await readResponses(sandbox, [], {});
      const [databaseUrl, bucket] = [await emptyDatabase(), await s3.newBucket()];
      const { CATALOG_FILES: place = '', ...keys } = settingsOf(sandbox, bucket);
      const env = { ...keys, CATALOG_COPY_TO: databaseUrl };
      const copied = await sandbox.run(['copy', '--files-to', place], { env });
      expect(copied).toMatchObject({ code: 0, stderr: '' });
      expect(copied.stdout).toContain(`copied 2 covers and 1 archives to ${place}: `);
      expect(await listKeys(bucket)).toHaveLength(3);
      const copyEnv = { ...keys, CATALOG_DATABASE: databaseUrl, CATALOG_FILES: place };
      const other = ['--data', join(sandbox.folder, 'other')];
      expect(await readResponses(sandbox, other, copyEnv)).toEqual(first);
      expect(existsSync(join(other[1] ?? '', 'store'))).toBe(false);
      const verified = await sandbox.run(['verify', ...other], { env: copyEnv });
      expect(verified).toMatchObject({ code: 0 });

      const back = join(sandbox.folder, 'back');
      const copy = ['copy', ...other, '--to', back, '--files-to', back];
      expect(await sandbox.run(copy, { env: copyEnv })).toMatchObject({ code: 0, stderr: '' });
      expect(await readResponses(sandbox, ['--data', back], {})).toEqual(first);
    });
  });
});
