import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClient, type FileStat } from 'webdav';
import { toolPath, toolsSkipReason } from '../support/tools.ts';
import { bytesIn } from '../trees/tree-files.ts';
import { type DavFixture, oddNames, startDav } from './dav-fixture.ts';

let dav: DavFixture;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-clients-'));
  dav = await startDav();
});
afterAll(async () => {
  await dav.close();
  await rm(folder, { recursive: true });
});

const profile = 'es-de';
const run = (tool: string, args: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(tool, args, {
    env: { ...process.env, PATH: toolPath, HOME: folder, ...env },
  });
const treeUrl = () => `${dav.app.url}/dav/All/${profile}`;

/** Builds the same tree in a folder, and returns its files by path. */
async function buildTree(): Promise<{ to: string; paths: string[] }> {
  const to = await mkdtemp(join(folder, 'built-'));
  const { catalog } = dav.app;
  const viewer = { userId: dav.user.id };
  const set = catalog.releases.openSet('All', await catalog.sets.select('All', viewer));
  const report = await catalog.builds.build(
    {
      set: { id: dav.setId, name: 'All' },
      profile,
      readTree: (request) => catalog.exports.tree({ set, ...request }),
      countMissing: () => set.countMissing(),
      ...{ target: to, mode: 'copy', isAdopted: false, isVerified: false },
    },
    { signal: new AbortController().signal, onProgress() {} },
  );
  expect(report.problems).toEqual([]);
  const entries = await readdir(to, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.catalog'));
  return { to, paths: files.map((each) => join(each.parentPath, each.name).slice(to.length + 1)) };
}

async function expectSameFiles(copied: string): Promise<void> {
  const { to, paths } = await buildTree();
  const entries = await readdir(copied, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile());
  const names = found.map((each) => join(each.parentPath, each.name).slice(copied.length + 1));
  expect(names.sort()).toEqual(paths.sort());
  for (const path of paths) {
    const [built, copy] = [await readFile(join(to, path)), await readFile(join(copied, path))];
    expect(copy.equals(built), path).toBe(true);
  }
  expect(paths.some((path) => path.endsWith('.png'))).toBe(true);
  expect(paths.some((path) => path.endsWith('.cue'))).toBe(true);
}

describe('rclone as a WebDAV client', () => {
  const skip = toolsSkipReason('rclone');
  const rclone = async (...args: string[]) => {
    const { stdout: pass } = await run('rclone', ['obscure', dav.user.token]);
    return run('rclone', [...args, '--webdav-url', treeUrl(), '--retries', '1', '--config', ''], {
      RCLONE_WEBDAV_USER: dav.user.username,
      RCLONE_WEBDAV_PASS: pass.trim(),
      RCLONE_WEBDAV_VENDOR: 'other',
    });
  };

  test('copies the files of a build byte for byte, but cannot write', async ({ skip: leave }) => {
    if (skip !== null) leave(skip);
    const to = join(folder, 'rclone');
    await rclone('copy', ':webdav:', to);
    await expectSameFiles(to);
    const checked = await rclone('check', '--download', ':webdav:', to);
    expect(checked.stderr).toContain('0 differences found');
    const { stdout } = await rclone('ls', ':webdav:ROMs/gb');
    for (const name of oddNames) expect(stdout).toContain(`${name}.gb`);
    const one = await rclone('cat', `:webdav:ROMs/gb/${oddNames[0]}.gb`);
    expect(one.stdout).toBe(`\0${oddNames[0]}.gb`);
    await expect(rclone('touch', ':webdav:new')).rejects.toThrow('405');
  });
});

describe('cadaver as a WebDAV client', () => {
  const skip = toolsSkipReason('cadaver');

  test('lists and downloads files with odd names, but cannot upload', async ({ skip: leave }) => {
    if (skip !== null) leave(skip);
    const { hostname } = new URL(dav.app.url);
    const login = `machine ${hostname} login ${dav.user.username} password ${dav.user.token}\n`;
    await writeFile(join(folder, '.netrc'), login, { mode: 0o600 });
    const [name = ''] = oddNames;
    const to = join(folder, 'cadaver.gb');
    const script = `cd ROMs/gb\nls\nget "${name}.gb" ${to}\nput /etc/hostname\nquit\n`;
    const child: ChildProcess = spawn('cadaver', [`${treeUrl()}/`], {
      env: { ...process.env, PATH: toolPath, HOME: folder, LC_ALL: 'C.UTF-8' },
    });
    let output = '';
    child.stdout?.on('data', (piece) => {
      output += piece;
    });
    child.stdin?.end(script);
    await once(child, 'close');
    expect(output).toContain(`${name}.gb`);
    expect(await readFile(to, 'utf8')).toBe(`\0${name}.gb`);
    expect(output).toContain('405');
  });
});

describe('the npm package webdav as a client', () => {
  const client = (path = '') =>
    createClient(`${treeUrl()}${path}`, { username: dav.user.username, password: dav.user.token });

  test('lists a folder, reads files and parts of files, and cannot write files', async () => {
    const list = (await client().getDirectoryContents('/ROMs/gb')) as FileStat[];
    expect(list.map(({ basename }) => basename).sort()).toEqual(
      oddNames.map((name) => `${name}.gb`).sort(),
    );
    for (const { filename, size, basename } of list) {
      const bytes = (await client().getFileContents(filename)) as Buffer;
      expect([basename, Buffer.from(bytes).toString()]).toEqual([basename, `\0${basename}`]);
      expect(size).toBe(bytes.byteLength);
    }
    const [name = ''] = oddNames;
    const part = client().createReadStream(`/ROMs/gb/${name}.gb`, { range: { start: 1, end: 3 } });
    expect(await text(part as Readable)).toBe(name.slice(0, 3));
    expect(await client().exists('/ROMs/none')).toBe(false);
    await expect(client().putFileContents('/new', 'x')).rejects.toThrow('405');
  });
});

describe('davfs2 as a WebDAV client', () => {
  const skip = toolsSkipReason('mount.davfs');

  test('mounts a tree, whose files have the right bytes', { tags: ['full'] }, async ({
    skip: leave,
  }) => {
    if (skip !== null) leave(skip);
    const mount = join(folder, 'mount');
    await mkdir(mount);
    const secrets = join(folder, 'secrets');
    await writeFile(secrets, `${mount} ${dav.user.username} ${dav.user.token}\n`, { mode: 0o600 });
    const conf = join(folder, 'davfs2.conf');
    await writeFile(conf, `secrets ${secrets}\nask_auth 0\nuse_locks 0\n`);
    const options = `ro,conf=${conf}`;
    const failure = await run('mount.davfs', [`${treeUrl()}/`, mount, '-o', options]).then(
      () => null,
      (error: Error & { stderr?: string }) => `${error.stderr ?? ''}${error.message}`,
    );
    if (failure !== null) return leave(`skipped: davfs2 cannot mount here: ${failure}`);
    onTestFinished(async () => {
      await run('umount', [mount]);
    });
    const { catalog } = dav.app;
    const viewer = { userId: dav.user.id };
    const tree = await catalog.deviceTrees.open({ set: 'All', profile }, viewer);
    for (const [path, bytes] of Object.entries(await bytesIn(tree))) {
      expect((await readFile(join(mount, path))).equals(bytes), path).toBe(true);
    }
  });
});
