import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { fileForm, logIn, sendRequest } from '../support/http/client.ts';
import { pollOptions } from '../support/poll-options.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';

describe('catalog verify', () => {
  test('accepts files that match their records, and reports how other files differ', async () => {
    const sandbox = await useSandbox();
    const games = join(sandbox.folder, 'games');
    await fill(sandbox, games);
    const fine = await verify(sandbox);
    expect(fine).toMatchObject({ code: 0, stderr: '' });
    expect(fine.stdout).toMatch(
      /^9 files compared, \d+ bytes, since \S+: all match their records\n$/,
    );

    const store = join(sandbox.data, 'store/games');
    await flipBit(join(store, 'flipped.iso'));
    await rm(join(store, 'gone.iso'));
    await truncate(join(store, 'cut.iso'), 10);
    await writeFile(join(store, 'own.iso'), 'laid there by hand');
    await flipBit(join(sandbox.data, 'covers/1.png'));
    await flipBit(join(games, 'flipped.bin'));
    await rename(join(games, 'moved.bin'), join(games, 'elsewhere.bin'));
    const { code, stderr } = await verify(sandbox);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^covers\/1\.png: changed: its bytes .+ at the same time: a disk/),
      expect.stringMatching(/^store\/games\/cut\.iso: changed: it has 10 bytes, 5000 were stored$/),
      expect.stringMatching(
        /^store\/games\/flipped\.iso: changed: its bytes .+ a disk changed them$/,
      ),
      expect.stringMatching(/^store\/games\/gone\.iso: missing: /),
      expect.stringMatching(/^store\/games\/own\.iso: extra: /),
      expect.stringMatching(
        /games\/flipped\.bin: changed: its content is not that of the scan at the/,
      ),
      expect.stringMatching(/games\/moved\.bin: missing: /),
      expect.stringMatching(/games\/elsewhere\.bin: extra: no scan has seen it$/),
    ]);
    expect(code).toBe(1);
  });

  test('compares only the requested parts, and reports a missing folder', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const games = join(sandbox.folder, 'games');
    await fill(sandbox, games);
    await flipBit(join(sandbox.data, 'covers/1.png'));
    const parts = await sandbox.run(['verify', '--covers', '--json']);
    expect(parts.code).toBe(1);
    expect(JSON.parse(parts.stdout)).toMatchObject({
      parts: ['covers'],
      files: 1,
      findings: [{ part: 'covers', kind: 'changed', path: 'covers/1.png' }],
    });
    await rm(join(sandbox.data, 'store/games/gone.iso'));
    const inTurn = await verify(sandbox);
    const ahead = await sandbox.run(['verify', '--parallel', '4']);
    expect(ahead).toMatchObject({ code: 1, stderr: inTurn.stderr });
    await rm(games, { recursive: true });
    const away = await sandbox.run(['verify', '--library']);
    expect(away.stderr).toMatch(/^\S+games: missing: the folder cannot be read: .+\n$/);
  });

  test('refuses an invalid option', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const wrong = await sandbox.run(['verify', '--rate', 'fast']);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toMatch(/^catalog: --rate: "fast" /);
    const none = await sandbox.run(['verify', '--parallel', '0']);
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toMatch(/^catalog: --parallel: "0" is not a whole number from 1 to 16/);
  });

  test('accepts a file that is replaced while it is compared', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--log-level', 'warn']);
    const token = await logIn(server.url);
    const upload = async (text: string) => {
      const form = fileForm('hot.iso', text.repeat(100_000));
      expect((await sendRequest(`${server.url}/api/store/upload`, { token, ...form })).status).toBe(
        200,
      );
    };
    await upload('a');
    let isDone = false;
    const writing = (async () => {
      for (let i = 0; !isDone; i++) await upload(`${i}`);
    })();
    for (let i = 0; i < 3; i++)
      expect(await verify(sandbox)).toMatchObject({ code: 0, stderr: '' });
    isDone = true;
    await writing;
  });

  test('resumes an interrupted verification, and keeps its findings', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const token = await logIn(server.url);
    for (const name of ['a', 'b', 'c', 'd']) {
      const form = fileForm(`${name}.iso`, randomBytes(200_000).toString('latin1'));
      expect((await sendRequest(`${server.url}/api/store/upload`, { token, ...form })).status).toBe(
        200,
      );
    }
    await server.stop();
    const store = join(sandbox.data, 'store/games');
    await flipBit(join(store, 'a.iso'));
    for (const [signal, name] of [
      ['SIGKILL', 'a.iso'],
      ['SIGINT', 'b.iso'],
    ] as const) {
      const program = sandbox.start(['verify', '--store', '--rate', '150K']);
      await vi.waitFor(
        () => expect(passed(sandbox) >= name, passed(sandbox)).toBe(true),
        pollOptions,
      );
      program.kill(signal);
      const { code, stderr } = await program.ended;
      expect(code).toBe(signal === 'SIGKILL' ? null : 130);
      expect(stderr).toMatch(
        signal === 'SIGKILL' ? /^$/ : /^catalog: stopped; the next verify .+\n$/,
      );
      expect(passed(sandbox)).toBe(name);
    }
    // The change of `b.iso` is not noticed, because the file was compared before the interruption.
    await flipBit(join(store, 'b.iso'));
    await flipBit(join(store, 'd.iso'));
    const { stdout } = await sandbox.run(['verify', '--store', '--json']);
    const report = JSON.parse(stdout);
    expect(report.files).toBe(4);
    const paths = report.findings.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['store/games/a.iso', 'store/games/d.iso']);
    const again = JSON.parse((await sandbox.run(['verify', '--store', '--json'])).stdout);
    expect(again.findings).toHaveLength(3);
  });

  test('reports that a database with an overwritten page is damaged', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const file = join(sandbox.data, 'catalog.db');
    const database = new Database(file);
    const root = database
      .prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'rom_hash'`)
      .pluck();
    const page = (root.get() as number) - 1;
    database.pragma('wal_checkpoint(truncate)');
    database.close();
    const bytes = await readFile(file);
    bytes.fill(0xff, page * 4096, page * 4096 + 50);
    await writeFile(file, bytes);
    const { code, stderr } = await verify(sandbox);
    expect(stderr).toMatch(
      /^catalog\.db: changed: the database \S+ is damaged: restore it from a backup\n$/,
    );
    expect(code).toBe(1);
  });
});

/** Creates five archives, a cover and two library images, and records all of them. */
async function fill(sandbox: Sandbox, games: string): Promise<void> {
  await mkdir(games);
  for (const name of ['flipped.bin', 'moved.bin']) {
    await writeFile(join(games, name), randomBytes(300_000));
  }
  const dat = join(sandbox.folder, 'a.dat');
  const game = `<game name="A"><rom name="a.iso" size="5" sha1="${'a'.repeat(40)}"/></game>`;
  await writeFile(dat, `<datafile><header><name>T - C</name></header>${game}</datafile>`);
  expect(await sandbox.run(['import', dat])).toMatchObject({ code: 0 });
  const server = await sandbox.serve();
  const token = await logIn(server.url);
  const put = async (path: string, name: string, text: string) => {
    const form = { token, ...fileForm(name, text) };
    expect((await sendRequest(`${server.url}/api${path}`, form)).status).toBe(200);
  };
  for (const name of ['flipped', 'gone', 'cut', 'whole', 'other']) {
    await put('/store/upload', `${name}.iso`, name.padEnd(5000, '.'));
  }
  await put('/cover/1', 'c.png', '\x89PNG\r\n\x1a\nsome bytes');
  await server.stop();
  expect(await sandbox.run(['scan', '--games-root', games])).toMatchObject({ code: 0 });
}

const verify = (sandbox: Sandbox) => sandbox.run(['verify']);

/** Flips one bit of a file but restores its modification time, like a failing disk. */
async function flipBit(file: string): Promise<void> {
  const { mtimeNs } = await stat(file, { bigint: true });
  const bytes = await readFile(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
  const time = `${mtimeNs / 1_000_000_000n}.${`${mtimeNs % 1_000_000_000n}`.padStart(9, '0')}`;
  execFileSync('touch', ['-d', `@${time}`, file]);
}

/** Returns the name of the last archive that the running verification has recorded. */
function passed(sandbox: Sandbox): string {
  const database = new Database(join(sandbox.data, 'catalog.db'), { readonly: true });
  try {
    const row = database.prepare('SELECT after FROM verification').pluck().get();
    return row === undefined ? '' : String(row);
  } finally {
    database.close();
  }
}
