/** @module-tag full */

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { emptyDatabase, fill, readResponses } from '../cli/copies/copied-catalogue.ts';
import { testedDatabases } from '../support/data/databases.ts';
import { freeze } from '../support/freeze.ts';
import { fileForm, logIn, sendRequest } from '../support/http/client.ts';
import { pollOptions } from '../support/poll-options.ts';
import { type Program, type Sandbox, useSandbox } from '../support/process.ts';
import { listKeys } from '../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../support/s3/radosgw.ts';
import type { S3Server } from '../support/s3/s3-server.ts';
import { settingsOf } from '../support/s3/settings.ts';

const hasServer = testedDatabases().length > 1;

/** Freezes a program until the test resumes it or the test ends. */
async function freezeProgram(program: Program) {
  const resume = () => program.kill('SIGCONT');
  onTestFinished(resume);
  await freeze(program.pid);
  return resume;
}

const isRefused = {
  code: 1,
  stderr: expect.stringMatching(
    /another process is copying or restoring to \S+: wait until it ends \(if there is none, remove \S+\)\n/,
  ),
};

describe('a copy in progress', () => {
  test('refuses a second copy to its folder and completes', async () => {
    const sandbox = await useSandbox();
    await fill(sandbox);
    const to = join(sandbox.folder, 'to');
    const copy = ['copy', '--to', to];
    const program = sandbox.start(copy);
    await vi.waitFor(() => stat(join(to, '.catalog-copy', 'catalog.db')), pollOptions);
    const resume = await freezeProgram(program);
    expect(await sandbox.run(copy)).toMatchObject(isRefused);
    expect(existsSync(join(to, '.catalog-copy', 'catalog.db'))).toBe(true);
    resume();
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
    expect((await readdir(to)).includes('.catalog-copy')).toBe(false);
    expect(await readResponses(sandbox, ['--data', to], {})).toEqual(
      await readResponses(sandbox, [], {}),
    );
  });

  test.runIf(hasServer)(
    'is not disturbed by a server that uses its target data folder',
    async () => {
      const databaseUrl = await emptyDatabase();
      const sandbox = await useSandbox(undefined, databaseUrl);
      await fill(sandbox);
      const before = await readResponses(sandbox, [], {});
      const aside = join(sandbox.data, '.catalog-copy');
      const program = sandbox.start(['copy', '--to', sandbox.data]);
      await vi.waitFor(() => stat(join(aside, 'catalog.db')), pollOptions);
      const resume = await freezeProgram(program);
      expect(await readResponses(sandbox, [], {})).toEqual(before);
      expect(existsSync(join(aside, 'catalog.db'))).toBe(true);
      resume();
      expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
      expect(await readResponses(sandbox, [], { CATALOG_DATABASE: '' })).toEqual(before);
    },
  );

  test.runIf(hasServer)('refuses any other copy or restore to its database', async () => {
    const databaseUrl = await emptyDatabase();
    const env = { CATALOG_COPY_TO: databaseUrl };
    const [first, second] = [await useSandbox(), await useSandbox()];
    for (const sandbox of [first, second]) await fill(sandbox);
    const holder = new pg.Client(databaseUrl);
    await holder.connect();
    onTestFinished(() => holder.end());
    // A process waits for this advisory lock before it fills the database.
    await holder.query('SELECT pg_advisory_lock(7021784526934551411)');
    const program = first.start(['copy', '--files-to', join(first.folder, 'files')], env);
    const waits = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await expect.poll(async () => (await holder.query(waits)).rows).not.toEqual([]);
    const files = join(second.folder, 'files');
    const message = /another process is copying or restoring to postgres:\S+: wait until it ends\n/;
    const refusal = { code: 1, stderr: expect.stringMatching(message) };
    expect(await second.run(['copy', '--files-to', files], { env })).toMatchObject(refusal);
    const restore = ['restore', join(second.folder, 'a.dat'), '--data', files];
    const to = { CATALOG_DATABASE: databaseUrl };
    expect(await second.run(restore, { env: to })).toMatchObject(refusal);
    expect(existsSync(files)).toBe(false);
    await holder.query('SELECT pg_advisory_unlock_all()');
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  });

  describe.skipIf(s3SkipReason !== null)(`to a bucket ${s3SkipReason ?? ''}`, () => {
    let s3: S3Server;
    beforeAll(async () => {
      s3 = await startS3();
    });
    afterAll(() => s3?.stop());

    test('refuses a second copy to its bucket and keeps its objects', async () => {
      const sandbox = await useSandbox();
      await fill(sandbox);
      await addArchives(sandbox, 10);
      const bucket = await s3.newBucket();
      const { CATALOG_FILES: place = '', ...keys } = settingsOf(sandbox, bucket);
      const to = join(sandbox.folder, 'to');
      const copy = ['copy', '--to', to, '--files-to', place];
      const program = sandbox.start(copy, keys);
      await expect.poll(async () => (await listKeys(bucket)).length).toBeGreaterThanOrEqual(3);
      const resume = await freezeProgram(program);
      const sent = await listKeys(bucket);
      // Move the target folder away, so that only the bucket can cause the refusal.
      await rename(to, `${to}-held`);
      expect(await sandbox.run(copy, { env: keys })).toMatchObject(isRefused);
      expect(existsSync(to)).toBe(false);
      await rename(`${to}-held`, to);
      expect(await listKeys(bucket)).toEqual(expect.arrayContaining(sent));
      resume();
      expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
      expect(await listKeys(bucket)).toHaveLength(13);
      expect((await readdir(sandbox.data)).filter((name) => /jsonl/.test(name))).toEqual([]);
    });
  });
});

async function addArchives(sandbox: Sandbox, count: number): Promise<void> {
  const { url, stop } = await sandbox.serve();
  const token = await logIn(url);
  for (let at = 0; at < count; at += 1) {
    const form = fileForm(`${at}.zip`, randomBytes(400_000));
    expect((await sendRequest(`${url}/api/store/upload`, { token, ...form })).status).toBe(200);
  }
  await stop();
}
