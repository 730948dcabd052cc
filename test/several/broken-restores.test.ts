/** @module-tag full */

import { randomBytes } from 'node:crypto';
import { existsSync, watch } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { emptyDatabase, fill, query, readResponses } from '../cli/copies/copied-catalogue.ts';
import { writeBigDat } from '../support/data/big-dat.ts';
import { testedDatabases } from '../support/data/databases.ts';
import { fileForm, logIn, sendRequest } from '../support/http/client.ts';
import { pollOptions } from '../support/poll-options.ts';
import { openSandbox, type Program, type Sandbox } from '../support/process.ts';
import { listKeys, listMultipartUploads } from '../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../support/s3/radosgw.ts';
import type { S3Server } from '../support/s3/s3-server.ts';
import { settingsOf } from '../support/s3/settings.ts';

const hasServer = testedDatabases().length > 1;
const archives = 12;
/** Number of files in the catalogue: the archives, two covers and one further archive. */
const files = archives + 3;
const tables = `SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;

describe('a restore', () => {
  let sandbox: Sandbox;
  let tar: string;
  let first: Awaited<ReturnType<typeof readResponses>>;
  let s3: S3Server;
  beforeAll(async () => {
    if (s3SkipReason === null) s3 = await startS3();
    sandbox = await openSandbox();
    await fill(sandbox);
    const dat = join(sandbox.folder, 'b.dat');
    await writeBigDat(dat, 6_000);
    expect(await sandbox.run(['import', dat])).toMatchObject({ code: 0 });
    const { url, stop } = await sandbox.serve();
    const token = await logIn(url);
    for (let at = 0; at < archives; at += 1) {
      const form = fileForm(`${at}.zip`, randomBytes(400_000));
      expect((await sendRequest(`${url}/api/store/upload`, { token, ...form })).status).toBe(200);
    }
    await stop();
    first = await readResponses(sandbox, [], {});
    tar = join(sandbox.folder, 'a.tar');
    expect(await sandbox.run(['backup', tar, '--store'])).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await sandbox?.close();
    await s3?.stop();
  });

  const restore = (data: string, env: Record<string, string>) =>
    sandbox.start(['restore', tar, '--data', data], env);

  async function kill(program: Program, signal: NodeJS.Signals, code: number | null) {
    program.kill(signal);
    expect((await program.ended).code).toBe(code);
  }

  async function expectUnfinished(data: string, env: Record<string, string>) {
    for (const command of [['serve'], ['verify']]) {
      expect(await sandbox.run([...command, '--data', data], { env })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /a copy or restore into \S+ was interrupted: run it again, or empty the folder\n/,
        ),
      });
    }
  }

  test.runIf(hasServer)(
    'leaves its database on a server empty when it is killed, and completes when run again',
    async () => {
      const databaseUrl = await emptyDatabase();
      const env = { CATALOG_DATABASE: databaseUrl };
      const data = join(sandbox.folder, 'of-server');
      const client = new pg.Client(databaseUrl);
      await client.connect();
      onTestFinished(() => client.end());
      const isFilling = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND query LIKE 'INSERT INTO "r%' AND pid <> pg_backend_pid()`;
      for (const isAt of [
        () => existsSync(join(data, '.catalog-copy/restored/.catalog-restore')),
        async () => (await client.query(isFilling)).rows.length > 0,
      ]) {
        const program = restore(data, env);
        await expect.poll(async () => isAt()).toBe(true);
        await kill(program, 'SIGKILL', null);
        await expect.poll(async () => (await query(databaseUrl, tables)).rows).toEqual([]);
        expect(await readdir(data)).toEqual(['.catalog-copy']);
        await expectUnfinished(data, env);
        expect((await query(databaseUrl, tables)).rows).toEqual([]);
      }
      expect(await restore(data, env).ended).toMatchObject({ code: 0, stderr: '' });
      expect((await readdir(data)).sort()).toEqual(['covers', 'store']);
      expect(await readResponses(sandbox, ['--data', data], env)).toEqual(first);
    },
  );

  describe.skipIf(s3SkipReason !== null)(`with a bucket ${s3SkipReason ?? ''}`, () => {
    test.each([
      ['killed', 'SIGKILL', null],
      ['terminated', 'SIGTERM', 143],
    ] as const)(
      'reuses the sent files when it is run again after it was %s',
      async (_how, signal, code) => {
        const bucket = await s3.newBucket();
        const env = settingsOf(sandbox, bucket);
        const data = join(sandbox.folder, `of-bucket-${signal}`);
        const program = restore(data, env);
        const sent = await vi.waitFor(async () => {
          const keys = await listKeys(bucket);
          expect(keys.length).toBeGreaterThanOrEqual(5);
          return keys;
        }, pollOptions);
        await kill(program, signal, code);
        await expectUnfinished(data, env);
        expect(await restore(data, env).ended).toMatchObject({ code: 0, stderr: '' });
        const keys = await listKeys(bucket);
        expect(keys).toHaveLength(files);
        // The object that was being sent at the interruption may be sent a second time.
        expect(sent.filter((key) => !keys.includes(key)).length).toBeLessThanOrEqual(1);
        expect(await listMultipartUploads(bucket)).toEqual([]);
        expect((await readdir(data)).filter((name) => /jsonl|^\./.test(name))).toEqual([]);
        expect(await readResponses(sandbox, ['--data', data], env)).toEqual(first);
        const verified = await sandbox.run(['verify', '--data', data], { env });
        expect(verified).toMatchObject({ code: 0 });
      },
    );

    test('leaves a whole catalogue if it is killed once its folder has the database', async () => {
      const env = settingsOf(sandbox, await s3.newBucket());
      const bucketData = join(sandbox.folder, 'in-bucket');
      expect(await restore(bucketData, env).ended).toMatchObject({ code: 0 });
      const ofBucket = join(sandbox.folder, 'of-bucket.tar');
      const backup = ['backup', ofBucket, '--store', '--data', bucketData];
      expect(await sandbox.run(backup, { env })).toMatchObject({ code: 0 });
      const data = join(sandbox.folder, 'of-objects');
      await mkdir(data);
      const program = sandbox.start(['restore', ofBucket, '--data', data]);
      const watcher = watch(data, (_event, name) => {
        if (name === 'catalog.db') program.kill('SIGKILL');
      });
      await program.ended.finally(() => watcher.close());
      expect(await readResponses(sandbox, ['--data', data], {})).toEqual(first);
    });

    test('refuses a folder that already holds a catalogue and other files', async () => {
      const env = settingsOf(sandbox, await s3.newBucket());
      const data = join(sandbox.folder, 'of-others');
      expect(await restore(data, env).ended).toMatchObject({ code: 0 });
      await writeFile(join(data, 'note'), '');
      expect(await restore(data, env).ended).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/already contains a catalogue/),
      });
    });
  });
});
