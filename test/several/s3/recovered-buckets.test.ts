/** @module-tag full */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';
import { pngText } from '../../cli/copies/backup-content.ts';
import { emptyDatabase, query } from '../../cli/copies/copied-catalogue.ts';
import { testedDatabases } from '../../support/data/databases.ts';
import { fileForm, logIn, sendRequest } from '../../support/http/client.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { openSandbox, type Sandbox } from '../../support/process.ts';
import { clientOf, listKeys, listLabels } from '../../support/s3/list-bucket.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { s3Servers } from '../../support/s3/servers.ts';
import { settingsOf } from '../../support/s3/settings.ts';

type Env = Record<string, string>;

const databases = testedDatabases().map(({ name }) => name);

for (const { name, skipReason, start } of s3Servers) {
  const title = `a catalogue with files on ${name} ${skipReason ?? ''}`;
  describe.skipIf(skipReason !== null)(title, () => {
    let s3: S3Server;
    let sandbox: Sandbox;
    let address: BucketConfig;
    let files: Env;
    beforeAll(async () => {
      s3 = await start();
    });
    afterAll(() => s3?.stop());
    beforeEach(async () => {
      sandbox = await openSandbox();
      onTestFinished(() => sandbox.close());
      address = await s3.newBucket();
      files = settingsOf(sandbox, address);
    });

    /** Runs `work` while a server runs. `send` sends a request with an admin's token. */
    async function whileServing<T>(
      args: string[],
      env: Env,
      work: (
        send: (path: string, question?: object) => ReturnType<typeof sendRequest>,
      ) => Promise<T>,
    ): Promise<T> {
      const { url, stop } = await sandbox.serve(args, env);
      const token = await logIn(url);
      const result = await work((path, question) =>
        sendRequest(`${url}/api/${path}`, { token, ...question }),
      );
      await stop();
      return result;
    }
    const upload = (of: string, bytes: string) => ['store/upload', fileForm(of, bytes)] as const;
    async function archives(args: string[], env: Env): Promise<Record<string, string>> {
      return whileServing(args, env, async (send) => {
        const { json } = await send('store?system=games');
        const found: Record<string, string> = {};
        for (const { name: of } of json.items) {
          found[of] = (await send(`store/download/games/${encodeURIComponent(of)}`)).text;
        }
        return found;
      });
    }
    /** Deletes the object of an archive directly in the bucket. */
    async function lose(bytes: string): Promise<void> {
      const client = clientOf(address);
      for (const Key of await listKeys(address)) {
        const object = { Bucket: address.bucket, Key };
        const { Body } = await client.send(new GetObjectCommand(object));
        if ((await Body?.transformToString()) !== bytes) continue;
        await client.send(new DeleteObjectCommand(object));
      }
      client.destroy();
    }
    async function begin(env: Env): Promise<void> {
      const dat = join(sandbox.folder, 'a.dat');
      await writeFile(
        dat,
        '<datafile><header><name>Sega - Dreamcast</name></header><game name="A"><rom name="a" size="1" crc="00000001"/></game></datafile>',
      );
      expect(await sandbox.run(['import', dat], { env })).toMatchObject({ code: 0 });
    }

    test.each(databases)(
      'is restored with its archives from a backup without them, on %s',
      async (database) => {
        const make = async () =>
          database === 'SQLite' ? files : { ...files, CATALOG_DATABASE: await emptyDatabase() };
        const env = await make();
        await begin(env);
        await whileServing([], env, async (send) => {
          for (const [path, form] of [
            upload('kept 大神.zip', 'kept'),
            upload('replaced.zip', 'before'),
            upload('lost.zip', 'lost'),
            ['cover/1', fileForm('c', pngText('cover'))] as const,
          ]) {
            expect((await send(path, form)).status).toBe(200);
          }
        });
        const tar = join(sandbox.folder, 'a.tar');
        expect(await sandbox.run(['backup', tar], { env })).toMatchObject({ code: 0, stderr: '' });
        await whileServing([], env, async (send) => {
          for (const [path, form] of [upload('replaced.zip', 'after'), upload('new.zip', 'new')]) {
            expect((await send(path, form)).status).toBe(200);
          }
        });
        await lose('lost');
        const before = await listKeys(address);
        expect(before).toHaveLength(5);

        const again = await make();
        const data = join(sandbox.folder, 'restored');
        const restored = await sandbox.run(['restore', tar, '--data', data], { env: again });
        expect(restored).toMatchObject({
          code: 1,
          stderr: 'store/games/lost.zip: missing in the bucket\n',
        });
        expect(restored.stdout.trim().split('\n').slice(1)).toEqual([
          'the backup contains no archives',
          'files that are in the bucket, and were attached: 2',
          'objects in the bucket that the backup does not know: 2; they stay',
        ]);
        expect(await listKeys(address)).toEqual(before);
        expect(await archives(['--data', data], again)).toEqual({
          'kept 大神.zip': 'kept',
          'replaced.zip': 'before',
        });
        const verified = await sandbox.run(['verify', '--data', data], { env: again });
        expect(verified).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^store\/games\/lost\.zip: missing[^\n]*\n$/),
        });
        // The sweep of the server that just ran has deleted none of the unknown objects.
        expect(await listKeys(address)).toEqual(before);

        const recover = ['adopt', '--recover', '--data', data];
        expect(await sandbox.run(recover, { env: again })).toMatchObject({
          code: 1,
          stdout: '1 file adopted, 3 bytes, 1 refused\n',
          stderr: 'games/lost.zip: refused: its object is missing or has another size\n',
        });
        expect(await archives(['--data', data], again)).toMatchObject({ 'new.zip': 'new' });
        expect(await listKeys(address)).toEqual(before);
      },
    );

    test('is rebuilt from its bucket after its database was deleted', async () => {
      await begin(files);
      await whileServing([], files, async (send) => {
        for (const [path, form] of [
          upload('a 大神.zip', 'first'),
          upload('a 大神.zip', 'second'),
          upload('b.zip', 'b'),
          upload('removed.zip', 'replaced'),
          upload('removed.zip', 'removed'),
          upload('lost.zip', 'lost'),
        ]) {
          expect((await send(path, form)).status).toBe(200);
        }
        expect((await send('store/games/removed.zip', { method: 'DELETE' })).status).toBe(200);
        // The server deletes the labels of replaced and removed files in the background.
        await expect.poll(() => listLabels(address), pollOptions).toHaveLength(3);
      });
      await lose('lost');
      const before = await listKeys(address);
      await rm(sandbox.data, { recursive: true });

      const adopt = ['adopt', '--recover', '--json'];
      const { code, stdout } = await sandbox.run(adopt, { env: files });
      expect(JSON.parse(stdout)).toMatchObject({
        ...{ files: 2, bytes: 7 },
        refused: [{ path: 'games/lost.zip', reason: 'its object is missing or has another size' }],
      });
      expect(code).toBe(1);
      expect(await archives([], files)).toEqual({ 'a 大神.zip': 'second', 'b.zip': 'b' });
      expect(await listKeys(address)).toEqual(before);
      const verified = await sandbox.run(['verify', '--store'], { env: files });
      expect(verified).toMatchObject({ code: 0, stderr: '' });
    });

    test('makes verify report a lost object, and a backup fail with its file name', async () => {
      await whileServing([], files, async (send) => {
        for (const [path, form] of [upload('kept.zip', 'kept'), upload('lost.zip', 'lost')]) {
          expect((await send(path, form)).status).toBe(200);
        }
      });
      await lose('lost');
      const where = `its object is not in the bucket ${address.bucket} at ${address.endpoint}`;
      expect(await sandbox.run(['verify', '--store'], { env: files })).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/^2 files compared, .*: 1 missing, /),
        stderr: `store/games/lost.zip: missing: ${where}\n`,
      });
      const backup = ['backup', join(sandbox.folder, 'a.tar'), '--store'];
      expect(await sandbox.run(backup, { env: files })).toMatchObject({
        code: 1,
        stderr: `catalog: cannot read store/games/lost.zip: ${where}\n`,
      });
    });

    test('postpones the deletion of orphans when it is restored', async () => {
      await whileServing([], files, async (send) => {
        for (const [path, form] of [upload('a.zip', 'first'), upload('a.zip', 'second')]) {
          expect((await send(path, form)).status).toBe(200);
        }
      });
      const tar = join(sandbox.folder, 'a.tar');
      expect(await sandbox.run(['backup', tar], { env: files })).toMatchObject({ code: 0 });
      const before = await listKeys(address);
      const env = { ...files, CATALOG_DATABASE: databases.length > 1 ? await emptyDatabase() : '' };
      const data = join(sandbox.folder, 'restored');
      expect(await sandbox.run(['restore', tar, '--data', data], { env })).toMatchObject({
        code: 0,
        stdout: expect.not.stringContaining('does not know'),
      });
      await whileServing(['--data', data, '--keep-replaced', '1h'], env, async () => undefined);
      expect(await listKeys(address)).toEqual(before);
      if (databases.length === 1) return;
      const { rows } = await query(
        env.CATALOG_DATABASE,
        'SELECT since > extract(epoch FROM now()) * 1000 + 6.9 * 86400000 AS later FROM orphan_object',
      );
      expect(rows).toEqual([{ later: true }]);
    });
  });
}
