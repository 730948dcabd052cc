/** @module-tag full */
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pngText } from '../cli/copies/backup-content.ts';
import { emptyDatabase, fill, query, readResponses } from '../cli/copies/copied-catalogue.ts';
import { testedDatabases } from '../support/data/databases.ts';
import { makeProxy } from '../support/postgres/cutting-proxy.ts';
import { openSandbox, type Sandbox } from '../support/process.ts';
import { listKeys } from '../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../support/s3/radosgw.ts';
import { settingsOf } from '../support/s3/settings.ts';

const hasServer = testedDatabases().length > 1;

/** Creates an empty database. Returns its direct URL and its URL through a proxy. */
async function useEmpty() {
  const databaseUrl = await emptyDatabase();
  const url = new URL(databaseUrl);
  const proxy = await makeProxy(Number(url.port));
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  return { databaseUrl, proxiedUrl: url.href, proxy };
}

/** Returns true if a signal that was sent to a process is still pending (proc(5)). */
function isPending(pid: number, signal: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const pending = BigInt(`0x${/^ShdPnd:\s+([0-9a-f]+)$/m.exec(status)?.[1]}`);
  return (pending & (1n << BigInt(signal - 1))) !== 0n;
}

const isFilled = async (databaseUrl: string) => {
  const { rows } = await query(databaseUrl, `SELECT to_regclass('schema_version') AS name`);
  return rows[0]?.name !== null;
};

describe.runIf(hasServer)('a copy or a restore to a database server', () => {
  let sandbox: Sandbox;
  let first: Awaited<ReturnType<typeof readResponses>>;
  beforeAll(async () => {
    sandbox = await openSandbox();
    await fill(sandbox);
    first = await readResponses(sandbox, [], {});
  });
  afterAll(() => sandbox?.close());

  describe('when the target database cannot be filled', () => {
    const reasons = [
      [
        'the database is not empty',
        'CREATE TABLE other (id integer)',
        /is not empty, it contains tables/,
      ],
      [
        'the database lacks trigrams',
        '',
        /lacks the extension pg_trgm, .+: permission .+; let a superuser run CREATE EXTENSION pg_trgm/,
      ],
      [
        'the login to the database fails',
        null,
        /cannot open the database \S+: .*authentication failed/,
      ],
    ] as const;

    async function useTarget(statement: string | null) {
      const databaseUrl = new URL(await emptyDatabase());
      if (statement === null) databaseUrl.password = 'another';
      else {
        const revoke = `REVOKE CREATE ON DATABASE ${databaseUrl.pathname.slice(1)} FROM catalog`;
        await query(databaseUrl.href, statement || revoke);
      }
      return databaseUrl.href;
    }

    test.each(reasons)('copies no file because %s', async (_why, statement, message) => {
      const files = join(sandbox.folder, 'never');
      const env = { CATALOG_COPY_TO: await useTarget(statement) };
      const refused = await sandbox.run(['copy', '--files-to', files], { env });
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
      expect(existsSync(files)).toBe(false);
    });

    test.each(reasons)('unpacks no backup because %s', async (_why, statement, message) => {
      const data = join(sandbox.folder, 'never');
      const env = { CATALOG_DATABASE: await useTarget(statement) };
      // The file is not a backup, so unpacking it would cause a different error.
      const restore = ['restore', join(sandbox.folder, 'a.dat'), '--data', data];
      const refused = await sandbox.run(restore, { env });
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
      expect(existsSync(data)).toBe(false);
    });

    test.skipIf(s3SkipReason !== null)(
      `creates no object in the bucket ${s3SkipReason ?? ''}`,
      async () => {
        const s3 = await startS3();
        onTestFinished(() => s3.stop());
        const bucket = await s3.newBucket();
        const { CATALOG_FILES: place = '', ...keys } = settingsOf(sandbox, bucket);
        const [, statement, message] = reasons[0];
        const env = { ...keys, CATALOG_COPY_TO: await useTarget(statement) };
        const refused = await sandbox.run(['copy', '--files-to', place], { env });
        expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
        expect(await listKeys(bucket)).toEqual([]);
        const records = (await readdir(sandbox.data)).filter((name) => /jsonl/.test(name));
        expect(records).toEqual([]);
      },
    );
  });

  test('reuses the copied files when it is run again after a failed commit', async () => {
    const { databaseUrl, proxiedUrl, proxy } = await useEmpty();
    const files = join(sandbox.folder, 'files');
    const copy = () =>
      sandbox.run(['copy', '--files-to', files, '--json'], {
        env: { CATALOG_COPY_TO: proxiedUrl },
      });
    proxy.cutAt('COMMIT', 'before');
    expect(await copy()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot reach the database/),
    });
    expect(await isFilled(databaseUrl)).toBe(false);
    const again = await copy();
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(again.stdout).files).toMatchObject({ covers: 2, archives: 1, skipped: 3 });
    const env = { CATALOG_DATABASE: databaseUrl };
    expect((await readdir(files)).includes('.catalog-copy')).toBe(false);
    expect(await readResponses(sandbox, ['--data', files], env)).toEqual(first);
  });

  test('succeeds when the connection is lost after the commit', async () => {
    const { databaseUrl, proxiedUrl, proxy } = await useEmpty();
    const files = join(sandbox.folder, 'files-after');
    proxy.cutAt('COMMIT', 'after');
    const copied = await sandbox.run(['copy', '--files-to', files], {
      env: { CATALOG_COPY_TO: proxiedUrl },
    });
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    expect(
      await readResponses(sandbox, ['--data', files], { CATALOG_DATABASE: databaseUrl }),
    ).toEqual(first);
  });

  test.each(['copy', 'restore'])(
    'reports that it may have committed when a %s is stopped during the commit',
    async (command) => {
      const { databaseUrl, proxiedUrl, proxy } = await useEmpty();
      const [tar, data] = [join(sandbox.folder, `${command}.tar`), join(sandbox.folder, command)];
      expect(await sandbox.run(['backup', tar])).toMatchObject({ code: 0 });
      proxy.cutAt('COMMIT', 'unanswered');
      const program =
        command === 'copy'
          ? sandbox.start([command], { CATALOG_COPY_TO: proxiedUrl })
          : sandbox.start([command, tar, '--data', data], { CATALOG_DATABASE: proxiedUrl });
      await expect.poll(() => isFilled(databaseUrl)).toBe(true);
      program.kill('SIGINT');
      // The program does not log that it has received the signal.
      await expect.poll(() => isPending(program.pid, constants.signals.SIGINT)).toBe(false);
      await proxy.close();
      expect(await program.ended).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^catalog: the connection was lost at the end .+: check the target before you copy again\n$/,
        ),
      });
    },
  );

  test('refuses a folder with leftovers of a restore killed after its commit', async () => {
    const { databaseUrl, proxiedUrl, proxy } = await useEmpty();
    const tar = join(sandbox.folder, 'a.tar');
    expect(await sandbox.run(['backup', tar, '--store'])).toMatchObject({ code: 0 });
    const data = join(sandbox.folder, 'restored');
    proxy.cutAt('COMMIT', 'unanswered');
    const restore = ['restore', tar, '--data', data];
    const program = sandbox.start(restore, { CATALOG_DATABASE: proxiedUrl });
    await expect.poll(() => isFilled(databaseUrl)).toBe(true);
    program.kill('SIGKILL');
    await program.ended;
    expect((await readdir(data)).sort()).toEqual(['.catalog-copy', 'covers', 'store']);
    const living = { CATALOG_DATABASE: databaseUrl };
    expect(await readResponses(sandbox, ['--data', data], living)).toEqual(first);
    await writeFile(join(data, 'covers/2.png'), pngText('two'));

    const env = { CATALOG_DATABASE: await emptyDatabase() };
    expect(await sandbox.run(restore, { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not empty: /),
    });
    expect(await readFile(join(data, 'covers/2.png'), 'utf8')).toBe(pngText('two'));
    expect(await readResponses(sandbox, ['--data', data], living)).toMatchObject({
      cover: first.cover,
    });
  });
});
