/** @module-tag full */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BucketConfig } from '../../src/files/s3/client/s3-client.ts';
import { fileForm, logIn, sendRequest } from '../support/http/client.ts';
import { installation, makeServer } from '../support/postgres/own-server.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';
import { clientOf, listKeys } from '../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../support/s3/radosgw.ts';
import type { S3Server } from '../support/s3/s3-server.ts';

const names = Array.from({ length: 12 }, (_, n) => `${n} 大神.zip`);
const serverSkipReason = installation ? '' : '(skipped: there is no PostgreSQL)';
const records = (folder: string) => readdirSync(folder).filter((name) => /jsonl$/.test(name));

describe.skipIf(s3SkipReason !== null)(`files copied to or from S3 ${s3SkipReason ?? ''}`, () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3?.stop());

  test('are unchanged after an interrupted copy, a backup, a restore and a copy back', async () => {
    const sandbox = await useSandbox();
    const address = await s3.newBucket();
    const contents = await fill(sandbox);
    const { keys, place } = settingsOf(sandbox, address);
    const target = join(sandbox.folder, 'far');
    const copy = ['copy', '--to', target, '--files-to', place];

    const cut = sandbox.start(copy, keys);
    await expect.poll(async () => (await listKeys(address)).length).toBeGreaterThanOrEqual(5);
    cut.kill('SIGKILL');
    await cut.ended;
    const [record = ''] = records(sandbox.data);
    const sent = readFileSync(join(sandbox.data, record), 'utf8').trim().split('\n');
    const whole = sent.map((line) => JSON.parse(line)).filter(({ isWhole }) => isWhole);
    expect(whole.length).toBeGreaterThan(3);
    expect(whole.length).toBeLessThan(names.length);
    // Replace the content of one object by other bytes.
    const other = { Bucket: address.bucket, Key: `${address.prefix}/${whole[1].key}` };
    const client = clientOf(address);
    await client.send(new PutObjectCommand({ ...other, Body: randomBytes(whole[1].size) }));
    client.destroy();

    const { code, stdout, stderr } = await sandbox.run([...copy, '--json'], { env: keys });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const skipped = whole.length - 1;
    expect(JSON.parse(stdout).files).toMatchObject({ covers: 1, archives: 12, skipped });
    expect(await listKeys(address)).toHaveLength(names.length + 1);
    expect(records(sandbox.data)).toEqual([]);
    expect(existsSync(join(target, 'store'))).toBe(false);
    const served = { ...keys, CATALOG_FILES: place };
    const before = await lists(sandbox, sandbox.data, {});
    expect(await lists(sandbox, target, served)).toEqual(before);
    const verified = await sandbox.run(['verify', '--data', target], { env: served });
    expect(verified).toMatchObject({ code: 0 });

    const tar = join(sandbox.folder, 'a.tar');
    const backup = ['backup', tar, '--store', '--data', target];
    expect(await sandbox.run(backup, { env: served })).toMatchObject({ code: 0, stderr: '' });
    const again = await s3.newBucket();
    const inBucket = { ...served, CATALOG_FILES: `s3://${again.bucket}/other` };
    const restored = join(sandbox.folder, 'restored');
    const restore = ['restore', tar, '--data', restored];
    expect(await sandbox.run(restore, { env: inBucket })).toMatchObject({ code: 0, stderr: '' });
    expect(await listKeys(again)).toHaveLength(names.length + 1);
    expect(await lists(sandbox, restored, inBucket)).toEqual(before);

    const source = join(sandbox.folder, 'near');
    const back = ['copy', '--data', target, '--to', source, '--files-to', source];
    expect(await sandbox.run(back, { env: served })).toMatchObject({ code: 0, stderr: '' });
    for (const [name, bytes] of contents) {
      expect(readFileSync(join(source, 'store/games', name)).equals(bytes)).toBe(true);
    }
    expect(await lists(sandbox, source, {})).toEqual(before);
    expect(await sandbox.run(['verify', '--data', source])).toMatchObject({ code: 0 });
  });

  test.skipIf(serverSkipReason)(
    `are not sent again by a copy that resumes with another database password ${serverSkipReason}`,
    async () => {
      // This server accepts any password.
      const server = await makeServer();
      onTestFinished(() => server.remove());
      const sandbox = await useSandbox();
      const address = await s3.newBucket();
      await fill(sandbox);
      const { keys, place } = settingsOf(sandbox, address);
      const copyBy = (password: string) => {
        const to = server.databaseUrl.replace('tester', `tester:${password}`);
        return sandbox.start(['copy', '--files-to', place, '--json'], {
          ...keys,
          CATALOG_COPY_TO: to,
        });
      };
      const cut = copyBy('one');
      await expect.poll(async () => (await listKeys(address)).length).toBeGreaterThanOrEqual(5);
      cut.kill('SIGKILL');
      await cut.ended;
      expect(records(sandbox.data)).toHaveLength(1);
      const { code, stdout, stderr } = await copyBy('two').ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout).files.skipped).toBeGreaterThan(3);
      expect(records(sandbox.data)).toEqual([]);
    },
  );

  test('keep their upload times when they are copied from a bucket to a folder', async () => {
    const sandbox = await useSandbox();
    const { keys, place } = settingsOf(sandbox, await s3.newBucket());
    const inBucket = { ...keys, CATALOG_FILES: place };
    await fill(sandbox, inBucket);
    const before = await lists(sandbox, sandbox.data, inBucket);

    const source = join(sandbox.folder, 'near');
    const copy = ['copy', '--to', source, '--files-to', source];
    expect(await sandbox.run(copy, { env: inBucket })).toMatchObject({ code: 0, stderr: '' });
    expect(await lists(sandbox, source, {})).toEqual(before);
  });

  test('are reported missing in a bucket or folder after a restore without archives', async () => {
    const sandbox = await useSandbox();
    const { keys, place } = settingsOf(sandbox, await s3.newBucket());
    const inBucket = { ...keys, CATALOG_FILES: place };
    const { url, stop } = await sandbox.serve();
    const form = fileForm('a.zip', 'an archive');
    const token = await logIn(url);
    expect((await sendRequest(`${url}/api/store/upload`, { token, ...form })).status).toBe(200);
    await stop();
    const backup = async (data: string, tar: string, env: Record<string, string>) => {
      const made = await sandbox.run(['backup', tar, '--data', data], { env });
      expect(made).toMatchObject({ code: 0 });
    };
    const restore = async (tar: string, data: string, env: Record<string, string>) => {
      const { stdout } = await sandbox.run(['restore', tar, '--data', data], { env });
      const verified = await sandbox.run(['verify', '--data', data], { env });
      expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(' 1 missing') });
      return stdout.trim().split('\n').slice(1);
    };
    const [source, target] = [join(sandbox.folder, 'near'), join(sandbox.folder, 'far')];
    const [one, two] = [join(sandbox.folder, '1.tar'), join(sandbox.folder, '2.tar')];
    await backup(sandbox.data, one, {});
    const none = 'the backup contains no archives';
    expect(await restore(one, join(sandbox.folder, 'restored'), inBucket)).toEqual([none]);
    const copy = ['copy', '--to', target, '--files-to', place];
    expect(await sandbox.run(copy, { env: keys })).toMatchObject({ code: 0 });
    await backup(target, two, inBucket);
    const forgotten = expect.stringMatching(/were in a bucket .*: 1 /);
    expect(await restore(two, source, {})).toEqual([none, forgotten]);
  });

  test.each(['a bucket', 'a folder'])(
    'are removed from %s if they are deleted at the source before the copy resumes',
    async (to) => {
      const sandbox = await useSandbox();
      const address = await s3.newBucket();
      await fill(sandbox);
      const { keys, place } = settingsOf(sandbox, address);
      const target = join(sandbox.folder, 'far');
      const copiedFiles = join(target, 'store/games');
      const copy = ['copy', '--to', target, '--files-to', to === 'a bucket' ? place : target];
      const count = async () => {
        if (to === 'a bucket') return (await listKeys(address)).length;
        return existsSync(copiedFiles) ? readdirSync(copiedFiles).length : 0;
      };
      const cut = sandbox.start(copy, keys);
      await expect.poll(count).toBeGreaterThanOrEqual(to === 'a bucket' ? 5 : 1);
      cut.kill('SIGKILL');
      await cut.ended;
      const gone = to === 'a bucket' ? firstWhole(sandbox) : (readdirSync(copiedFiles)[0] ?? '');
      const { url, stop } = await sandbox.serve();
      const path = `${url}/api/store/games/${encodeURIComponent(gone)}`;
      const removed = await sendRequest(path, { token: await logIn(url), method: 'DELETE' });
      expect(removed.status).toBe(200);
      await stop();

      const { code, stdout } = await sandbox.run([...copy, '--json'], { env: keys });
      expect(code).toBe(0);
      const left = names.filter((name) => name !== gone);
      expect(JSON.parse(stdout).files).toMatchObject({ covers: 1, archives: left.length });
      if (to === 'a folder') expect(readdirSync(copiedFiles).toSorted()).toEqual(left.toSorted());
      else expect(await listKeys(address)).toHaveLength(left.length + 1);
    },
  );
});

/** Returns the name of an archive that an interrupted copy has stored completely in the bucket. */
function firstWhole({ data }: Sandbox): string {
  const [record = ''] = records(data);
  const lines = readFileSync(join(data, record), 'utf8').trim().split('\n');
  const all = lines.map((line) => JSON.parse(line));
  return all.find(({ isWhole, part }) => isWhole && part === 'games').name;
}

async function fill(
  sandbox: Sandbox,
  env: Record<string, string> = {},
): Promise<Map<string, Buffer>> {
  const dat = join(sandbox.folder, 'a.dat');
  writeFileSync(
    dat,
    '<datafile><header><name>Sega - Dreamcast</name></header><game name="A"><rom name="a" size="1" crc="00000001"/></game></datafile>',
  );
  expect(await sandbox.run(['import', dat], { env })).toMatchObject({ code: 0 });
  const { url, stop } = await sandbox.serve([], env);
  const token = await logIn(url);
  const contents = new Map(names.map((name) => [name, randomBytes(400_000)]));
  for (const [name, bytes] of contents) {
    const form = fileForm(name, bytes);
    expect((await sendRequest(`${url}/api/store/upload`, { token, ...form })).status).toBe(200);
  }
  const cover = fileForm('c', '\x89PNG\r\n\x1a\n');
  expect((await sendRequest(`${url}/api/cover/1`, { token, ...cover })).status).toBe(200);
  await stop();
  return contents;
}

/**
 * Serves a catalogue. Returns its list of archives, a cover, and the time of the cover's last
 * modification.
 */
async function lists(sandbox: Sandbox, data: string, env: Record<string, string>) {
  const { url, stop } = await sandbox.serve(['--data', data], env);
  const token = await logIn(url);
  const { json } = await sendRequest(`${url}/api/store?system=games`, { token });
  const { text, headers } = await sendRequest(`${url}/api/cover/1`, { token });
  const archive = `${url}/api/store/download/games/${names[0]}`;
  const tags = [headers.etag, (await sendRequest(archive, { token })).headers.etag];
  await stop();
  expect(json.items).toHaveLength(names.length);
  expect(tags).toEqual([expect.stringMatching(sha256Tag), expect.stringMatching(sha256Tag)]);
  return { json, text, time: headers['last-modified'], tags };
}

const sha256Tag = /^"[0-9a-f]{64}"$/;

function settingsOf({ folder }: Sandbox, of: BucketConfig) {
  const file = join(folder, 'secret');
  writeFileSync(file, `${of.secretKey}\n`);
  const keys: Record<string, string> = {
    CATALOG_S3_ENDPOINT: of.endpoint,
    CATALOG_S3_ACCESS_KEY: of.accessKey,
    CATALOG_S3_SECRET_KEY_FILE: file,
  };
  return { keys, place: `s3://${of.bucket}/${of.prefix}` };
}
