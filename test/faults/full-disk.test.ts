import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useSource } from '../covers/covers-fixture.ts';
import { zipOf } from '../imports/support/zip-file.ts';
import { writeBigDat } from '../support/data/big-dat.ts';
import { fileForm, logIn, sendRequest } from '../support/http/client.ts';
import { createRequester, formType } from '../support/http/requester.ts';
import { tusClient } from '../support/http/tus.ts';
import { openSandbox, type Sandbox, type Server } from '../support/process.ts';

const MIB = 1024 * 1024;
const disk = mkdtempSync(join(tmpdir(), 'catalog-disk-'));
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk]).status === 0;
const why = isMounted ? '' : ' (skipped: only root can mount a small disk)';
const filler = join(disk, 'filler');

let sandbox: Sandbox;
let server: Server;
let token: string;
let url: string;
/** Path of a DAT that has been imported. */
let small: string;
beforeAll(async () => {
  if (!isMounted) return;
  sandbox = await openSandbox(join(disk, 'data'));
  server = await sandbox.serve();
  url = `${server.url}/api`;
  token = await logIn(server.url);
  expect((await upload('small.iso', 1000)).status).toBe(200);
  small = join(sandbox.folder, 'small.dat');
  await writeBigDat(small, 3, { platform: 'Test - Small' });
  expect(await sandbox.run(['import', small])).toMatchObject({ code: 0 });
});
afterAll(async () => {
  if (isMounted) {
    await sandbox.close();
    spawnSync('umount', [disk]);
  }
  rmSync(disk, { recursive: true, force: true });
});

describe.skipIf(!isMounted)(`the program on a full disk${why}`, () => {
  test('refuses a too large upload with 507, leaves nothing and keeps working', async () => {
    fill(20 * MIB);
    expect(await upload('small.iso', 40 * MIB)).toMatchObject(full);
    expect(await upload('new.iso', 40 * MIB)).toMatchObject(full);
    rmSync(filler);
    expectNothingLeft();
    expect((await upload('fits.iso', MIB)).status).toBe(200);
    expect(readdirSync(join(sandbox.data, 'store/games'))).toEqual(['fits.iso', 'small.iso']);
  });

  test('serves reads with no byte free, refuses writes with JSON, and recovers', async () => {
    const changing = { username: 'changing', password: 'p' };
    expect((await sendRequest(`${url}/users`, { token, json: changing })).status).toBe(200);
    fill();
    expect(await upload('more.iso', MIB)).toMatchObject(full);
    // Users can still sign in and delete files, because some space is reserved.
    expect(await logIn(server.url)).toMatch(/^cat_/);
    const removed = await sendRequest(`${url}/store/games/fits.iso`, { method: 'DELETE', token });
    expect(removed.status).toBe(200);
    fill();
    const role = await lastRoleThatFits();
    expect((await sendRequest(`${url}/auth/me`, { token })).status).toBe(200);
    expect((await sendRequest(`${url}/releases`)).status).toBe(200);
    const download = await sendRequest(`${url}/store/download/games/small.iso`, { token });
    expect(download).toMatchObject({ status: 200 });
    expect(download.text).toHaveLength(1000);
    expectNothingLeft();
    const ready = await sendRequest(`${url}/health/ready`);
    expect([ready.status, ready.headers['retry-after'], ready.json.detail]).toEqual([
      503,
      '1',
      'not ready',
    ]);
    // The database may still have some of its reserved space.
    expect(ready.json.not_ready).toEqual(expect.arrayContaining(['files', 'tmp']));
    expect((await sendRequest(`${url}/health`)).status).toBe(200);

    rmSync(filler);
    expect((await upload('more.iso', MIB)).status).toBe(200);
    const json = { username: 'after', password: 'p' };
    expect((await sendRequest(`${url}/users`, { token, json })).status).toBe(200);
    const { json: list } = await sendRequest(`${url}/users`, { token });
    const names = list.items.map((user: { username: string }) => user.username);
    expect(names).toEqual(['admin', 'after', 'changing']);
    expect(list.items[2].role).toBe(role);
    await expect.poll(async () => (await sendRequest(`${url}/health/ready`)).status).toBe(200);
    expectNothingLeft();
    expect(server.stderr).not.toMatch(/"level":[56]0/);
  });

  test('is not ready with less than 64 MiB for temporary files, and logs each change', async () => {
    const ready = async () => (await sendRequest(`${url}/health/ready`)).json;
    fill(60 * MIB);
    await expect.poll(ready).toEqual({ detail: 'not ready', not_ready: ['tmp'] });
    fill(68 * MIB);
    await expect.poll(ready).toEqual({ status: 'ok' });
    rmSync(filler);
    const logged = () => server.stderr.match(/"parts":\["tmp"\]|"ready for writes again"/g);
    const expected = ['"parts":["tmp"]', '"ready for writes again"'];
    await expect.poll(() => logged()?.slice(-2)).toEqual(expected);
  });

  test('removes archives when no inode is free', async () => {
    const { files, ffree } = statfsSync(disk);
    const setInodes = (count: number) =>
      spawnSync('mount', ['-o', `remount,nr_inodes=${count}`, disk]).status;
    expect((await upload('gone.iso', 1000)).status).toBe(200);
    expect(setInodes(files - ffree + 1)).toBe(0);
    expect(await upload('more.iso', 1000)).toMatchObject(full);
    const removed = await sendRequest(`${url}/store/games/gone.iso`, { method: 'DELETE', token });
    expect(removed.status).toBe(200);
    expect(setInodes(files)).toBe(0);
    expectNothingLeft();
  });

  test('keeps an upload when a chunk does not fit, and resumes it with more space', async () => {
    const tus = tusClient(createRequester(server.url), token);
    const games = (filename: string) => ({ filename, system: 'games' });
    const { bavail, bsize } = statfsSync(disk);
    expect(await tus.begin(bavail * bsize + MIB, games('a.iso'))).toMatchObject(full);
    const uploadUrl = await tus.createUpload(6 * MIB, games('chunks.iso'));
    const bytes = randomBytes(6 * MIB);
    expect((await tus.send(uploadUrl, 0, bytes.subarray(0, MIB))).status).toBe(204);
    fill(4 * MIB);
    const rest = bytes.subarray(MIB);
    expect(await tus.send(uploadUrl, MIB, rest)).toMatchObject(full);
    expect((await tus.head(uploadUrl)).headers['upload-offset']).toBe(String(MIB));
    rmSync(filler);
    expect((await tus.send(uploadUrl, MIB, rest)).status).toBe(204);
    expect(await tus.waitUntilChecked(uploadUrl)).toMatchObject({ state: 'done' });
    const stored = readFileSync(join(sandbox.data, 'store/games/chunks.iso'));
    expect(stored.equals(bytes)).toBe(true);
    rmSync(join(sandbox.data, 'store/games/chunks.iso'));
    rmSync(join(sandbox.data, 'tmp/uploads'), { recursive: true });
  });

  test('leaves the catalogue unchanged and room for other writes if an import does not fit', {
    tags: ['full'],
  }, async () => {
    const big = join(sandbox.folder, 'big.dat');
    await writeBigDat(big, 60_000);
    const before = await sendRequest(`${url}/releases?limit=500&include=total`);
    fill(18 * MIB);
    const { code, stderr } = await sandbox.run(['import', big]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'catalog: insufficient storage\n' });
    expect((await sendRequest(`${url}/releases?limit=500&include=total`)).text).toBe(before.text);
    expect(await logIn(server.url)).toMatch(/^cat_/);
    expect(await sandbox.run(['import', small])).toMatchObject({ code: 0 });
    rmSync(filler);
    expect((await sendRequest(`${url}/releases?limit=500&include=total`)).text).toBe(before.text);
  });

  test('removes the temporary files of a downloaded catalogue whose import does not fit', {
    tags: ['full'],
  }, async () => {
    const big = join(sandbox.folder, 'downloaded.dat');
    await writeBigDat(big, 60_000, { platform: 'Test - Downloaded' });
    const member = { name: 'downloaded.dat', content: readFileSync(big) };
    const zip = zipOf([member]);
    const source = await useSource((_request, response) => {
      const { bavail, bsize } = statfsSync(disk);
      response.on('finish', () => {
        // The client may store the zip before or after this.
        writeFileSync(filler, Buffer.alloc(bavail * bsize - zip.length - 18 * MIB));
      });
      response.end(zip);
    });
    const download = ['import', '--download', '--catalogue-source', `${source.base}/a.zip`];
    const { code, stderr } = await sandbox.run(download);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'catalog: insufficient storage\n' });
    rmSync(filler);
    expectNothingLeft();
  });

  test.each(['store/upload', 'cover/1'])(
    'refuses an upload to %s whose declared size cannot fit, before its body arrives',
    async (path) => {
      fill(4 * MIB);
      const declare = (length: number) => ({
        ...{ method: 'POST', token, body: '' },
        headers: { 'content-type': formType, 'content-length': String(length) },
      });
      // The server responds although no byte of the body has arrived.
      expect(await sendRequest(`${url}/${path}`, declare(2 ** 40))).toMatchObject(full);
      expect(await sendRequest(`${url}/${path}`, declare(5 * MIB + 4096))).toMatchObject(full);
      const other = { ...declare(2 ** 40).headers, 'content-type': 'text/plain' };
      const response = await sendRequest(`${url}/${path}`, { ...declare(0), headers: other });
      expect(response.status).toBe(415);
      const form = fileForm('fits.iso', Buffer.alloc(3 * MIB));
      expect((await sendRequest(`${url}/${path}`, { token, ...form })).status).toBe(200);
      rmSync(filler);
      expectNothingLeft();
    },
  );

  test('reports a full disk in one line and changes nothing if a command has no space', {
    tags: ['full'],
  }, async () => {
    const add = (name: string) =>
      sandbox.run(['users', 'add', name, '--role', 'user', '--password-stdin'], { stdin: 'x\n' });
    expect(await add('before')).toMatchObject({ code: 0, stderr: '' });
    // A command that runs while the server runs can also use the server's reserved space.
    expect((await server.stop()).code).toBe(0);
    expect(existsSync(join(sandbox.data, 'catalog.db-wal'))).toBe(false);
    fill();
    const refused = { code: 1, stdout: '', stderr: 'catalog: insufficient storage\n' };
    expect(await sandbox.run(['backup', join(disk, 'copy.db')])).toMatchObject(refused);
    expect(await add('refused')).toMatchObject(refused);
    rmSync(filler);
    server = await sandbox.serve();
    const { json } = await sendRequest(`${server.url}/api/users`, { token });
    const names = json.items.map((user: { username: string }) => user.username);
    expect(names).toContain('before');
    expect(names).not.toContain('refused');
    expect(readdirSync(disk).filter((name) => name.includes('copy'))).toEqual([]);
    expect((await server.stop()).code).toBe(0);
  });
});

const full = { status: 507, json: { detail: 'insufficient storage' } };

function upload(name: string, size: number) {
  return sendRequest(`${url}/store/upload`, { token, ...fileForm(name, Buffer.alloc(size)) });
}

/** Changes the role of a user until the server refuses a change. Returns the last accepted role. */
async function lastRoleThatFits(): Promise<string> {
  const { json } = await sendRequest(`${url}/users`, { token });
  const { id, role } = json.items[1];
  let last: string = role;
  for (let i = 0; i < 10_000; i++) {
    const next = i % 2 === 0 ? 'editor' : 'user';
    const change = { method: 'PATCH', token, json: { role: next } };
    const response = await sendRequest(`${url}/users/${id}`, change);
    if (response.status !== 200) {
      expect(response).toMatchObject(full);
      return last;
    }
    last = next;
  }
  throw new Error('the disk does not become full');
}

/** Uses up all free space except for `left` bytes. */
function fill(left = 0): void {
  rmSync(filler, { force: true });
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize - left + (left === 0 ? bsize : 0)));
  } catch {
    // the write failed because the disk is full
  }
  expect(statfsSync(disk).bavail * bsize).toBe(left);
}

function expectNothingLeft(): void {
  expect(readdirSync(join(sandbox.data, 'tmp'))).toEqual([]);
}
