import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { fileForm, logIn, sendRequest } from '../../support/http/client.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { type Sandbox, useSandbox } from '../../support/process.ts';
import { runTool, toolsSkipReason } from '../../support/tools.ts';
import { datOf, pngText } from './backup-content.ts';

describe('catalog backup', () => {
  test('makes a complete copy of the database while the server writes, which can be restored', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const token = await logIn(server.url);
    let created = 0;
    let isDone = false;
    const writing = (async () => {
      for (; !isDone; created++) {
        const json = { label: `token ${created}` };
        const made = await sendRequest(`${server.url}/api/auth/tokens`, { token, json });
        expect(made.status).toBe(200);
        // Delete the token, so that the user does not get too many tokens.
        const path = `${server.url}/api/auth/tokens/${made.json.id}`;
        expect((await sendRequest(path, { method: 'DELETE', token })).status).toBe(200);
      }
    })();
    const folder = join(sandbox.folder, 'restored');
    await mkdir(folder);
    const names = ['a.db', 'b.db', 'c.db'];
    for (const name of names) {
      const file = join(folder, name);
      const before = created;
      const { code, stdout, stderr } = await sandbox.run(['backup', file]);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `wrote ${file}\n`, stderr: '' });
      const tokens = inspect(file) - 1; // the login also creates a token
      expect(tokens).toBeGreaterThanOrEqual(before);
      expect(tokens).toBeLessThanOrEqual(created + 1);
    }
    isDone = true;
    await writing;
    expect(created).toBeGreaterThan(10);
    expect((await readdir(folder)).sort()).toEqual(names);
    expect((await stat(join(folder, 'a.db'))).mode & 0o777).toBe(0o600); // contains password hashes

    const data = join(sandbox.folder, 'again');
    const restored = await sandbox.run(['restore', join(folder, 'c.db'), '--data', data]);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toMatch(
      /^restored the database into \S+: \d+ bytes\nthe backup contains no/,
    );
    const again = await sandbox.serve(['--data', data]);
    expect((await sendRequest(`${again.url}/api/auth/me`, { token })).status).toBe(200);
    expect(again.stdout).not.toContain('password');
  });

  for (const [rounds, tags] of [
    [1, []],
    [3, ['full']],
  ] as const) {
    test(
      `backs up exactly the recorded files while files are replaced (rounds: ${rounds})`,
      { tags: [...tags], timeout: 120_000 },
      () => restoresWhatIsRecorded(rounds),
    );
  }

  async function restoresWhatIsRecorded(rounds: number): Promise<void> {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--log-level', 'warn']);
    const token = await logIn(server.url);
    const dat = join(sandbox.folder, 'a.dat');
    await writeFile(dat, datOf(20));
    expect(await sandbox.run(['import', dat])).toMatchObject({ code: 0 });
    let writes = 0;
    let isDone = false;
    const put = async (path: string, form: ReturnType<typeof fileForm>) => {
      expect((await sendRequest(`${server.url}/api${path}`, { token, ...form })).status).toBe(200);
      writes += 1;
    };
    const longest = `${'ü'.repeat(125)}.iso`;
    for (let id = 1; id <= 20; id++) await put(`/cover/${id}`, fileForm('c', pngText('first')));
    await put('/store/upload', fileForm(longest, 'first'));
    const writing = (async () => {
      for (let i = 0; !isDone; i++) {
        const bytes = `${i} `.repeat(20_000);
        await put(
          `/cover/${(i % 20) + 1}`,
          fileForm('c', i % 3 ? pngText(bytes) : `RIFF0000WEBP${bytes}`),
        );
        await put('/store/upload', fileForm(i % 2 ? longest : `new-${i}.iso`, bytes));
      }
    })();
    const restored: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = writes;
      const file = join(sandbox.folder, `${round}.tar`);
      const { code, stdout, stderr } = await sandbox.run(['backup', file, '--store']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      // There can be 21 covers while a cover exists in its new format and the old file is not
      // deleted yet.
      expect(stdout).toMatch(
        /^wrote \S+\.tar: the database, 2[01] covers, \d+ archives, \d+ bytes\n$/,
      );
      expect(writes).toBeGreaterThan(before); // otherwise no file was replaced during the backup
      const data = join(sandbox.folder, `data-${round}`);
      const { stderr: errors } = await sandbox.run(['restore', file, '--data', data]);
      expect(errors).toBe('');
      expect((await readdir(data)).sort()).toEqual(['catalog.db', 'covers', 'store']);
      restored.push(data);
    }
    isDone = true;
    await writing;
    await server.stop();
    for (const data of restored) {
      // The copy may contain changes that were in progress. The next start recovers these changes,
      // because their process has ended.
      const again = await sandbox.serve(['--data', data]);
      const settles = async () => expect(await filesIn(data)).toEqual(recordedIn(data));
      await vi.waitFor(settles, pollOptions);
      await again.stop();
      expect(await filesIn(data)).toEqual(recordedIn(data));
    }
  }

  describe('an interrupted backup or restore', () => {
    test('leaves no file if it is stopped; the next backup removes leftovers of a killed backup', {
      tags: ['full'],
    }, async () => {
      const sandbox = await useSandbox();
      await sandbox.createDataFolder();
      await mkdir(join(sandbox.data, 'store/games'), { recursive: true });
      await writeFile(join(sandbox.data, 'store/games/a.iso'), randomBytes(1000));
      await truncate(join(sandbox.data, 'store/games/a.iso'), 3 * 1024 ** 3);
      const file = join(sandbox.folder, 'a.tar');
      const left = async () =>
        (await readdir(sandbox.folder)).filter((name) => /catalog-/.test(name));
      for (const signal of ['SIGINT', 'SIGKILL'] as const) {
        const program = sandbox.start(['backup', file, '--store']);
        await expect.poll(left).not.toEqual([]);
        program.kill(signal);
        const { code, stderr } = await program.ended;
        if (signal === 'SIGINT') {
          expect({ code, stderr }).toEqual({
            code: 130,
            stderr: 'catalog: stopped; nothing was written\n',
          });
          expect(await left()).toEqual([]);
        }
      }
      expect(await left()).not.toEqual([]);
      await truncate(join(sandbox.data, 'store/games/a.iso'), 10);
      expect(await sandbox.run(['backup', file])).toMatchObject({ code: 0 });
      expect(await left()).toEqual([]);
    });

    test('leaves a folder that no command accepts after a killed restore, and can be repeated', {
      tags: ['full'],
    }, async () => {
      const sandbox = await useSandbox();
      await sandbox.createDataFolder();
      await mkdir(join(sandbox.data, 'store/games'), { recursive: true });
      await writeFile(join(sandbox.data, 'store/games/a.iso'), '');
      await truncate(join(sandbox.data, 'store/games/a.iso'), 300 * 1024 ** 2);
      const file = join(sandbox.folder, 'a.tar');
      expect(await sandbox.run(['backup', file, '--store'])).toMatchObject({ code: 0 });
      const data = join(sandbox.folder, 'again');
      const staging = join(data, '.catalog-restore');
      let old: number | undefined;
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        const program = sandbox.start(['restore', file, '--data', data]);
        old = await vi.waitFor(async () => {
          const { birthtimeMs } = await stat(staging);
          expect(birthtimeMs).not.toBe(old);
          return birthtimeMs;
        }, pollOptions);
        program.kill(signal);
        const { code } = await program.ended;
        expect(code).toBe(signal === 'SIGKILL' ? null : 143);
        if (signal === 'SIGTERM') break;
        for (const args of [
          ['serve', '--port', '0'],
          ['users', 'list'],
        ]) {
          const start = await sandbox.run([...args, '--data', data]);
          expect(start.stderr).toMatch(/^catalog: a restore into \S+ was interrupted: /);
          expect(start.code).toBe(1);
        }
      }
      expect(await readdir(data)).toEqual([]);
      expect(await sandbox.run(['restore', file, '--data', data])).toMatchObject({ code: 0 });
      expect(await sandbox.run(['users', 'list', '--data', data])).toMatchObject({ code: 0 });
    });
  });

  test.skipIf(toolsSkipReason('tar') !== null)(
    'writes a file that tar unpacks to the same covers and a correct checksum',
    { tags: ['full'] },
    async () => {
      const sandbox = await useSandbox();
      await sandbox.createDataFolder();
      await mkdir(join(sandbox.data, 'covers'), { recursive: true });
      const name = `${'x'.repeat(250)}.png`;
      await writeFile(join(sandbox.data, 'covers', name), pngText('long'));
      await writeFile(join(sandbox.data, 'covers/line\nbreak.png'), pngText('odd'));
      const file = join(sandbox.folder, 'a.tar');
      expect(await sandbox.run(['backup', file])).toMatchObject({ code: 0 });
      runTool('tar', ['xf', file, '-C', sandbox.folder]);
      expect(await readFile(join(sandbox.folder, 'covers', name), 'utf8')).toBe(pngText('long'));
      const sum = await readFile(join(sandbox.folder, 'SHA256SUM'), 'utf8');
      const before = (await readFile(file)).subarray(0, -2048);
      expect(sum).toBe(`${createHash('sha256').update(before).digest('hex')}\n`);
      const data = join(sandbox.folder, 'again');
      expect(await sandbox.run(['restore', file, '--data', data])).toMatchObject({ code: 0 });
      expect((await readdir(join(data, 'covers'))).sort()).toEqual(['line\nbreak.png', name]);
    },
  );

  test('reports a file that differs from its record, and still makes the backup', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const token = await logIn(server.url);
    const upload = { token, ...fileForm('a.iso', 'as it was recorded') };
    expect((await sendRequest(`${server.url}/api/store/upload`, upload)).status).toBe(200);
    await server.stop();
    const file = join(sandbox.data, 'store/games/a.iso');
    const { mtimeNs } = await stat(file, { bigint: true });
    await writeFile(file, 'as it was rekorded');
    setTime(file, mtimeNs);
    const tar = join(sandbox.folder, 'a.tar');
    const { code, stdout, stderr } = await sandbox.run(['backup', tar, '--store']);
    expect(stderr).toBe(
      'store/games/a.iso: differs from its record; the backup contains it as it is now\n',
    );
    expect(stdout).toContain('1 archive,');
    expect(code).toBe(1);
  });
});

describe('the target file of a backup', () => {
  let sandbox: Sandbox;
  const begin = async () => {
    sandbox = await useSandbox();
    await sandbox.createDataFolder();
  };

  test('is refused and left unchanged if it exists', async () => {
    await begin();
    for (const name of ['there.db', 'there.tar']) {
      const file = join(sandbox.folder, name);
      await writeFile(file, 'precious');
      const { code, stderr } = await sandbox.run(['backup', file]);
      expect(stderr).toBe(`catalog: ${file} exists already: give another name for the backup\n`);
      expect(code).toBe(1);
      expect((await stat(file)).size).toBe('precious'.length);
    }
    expect((await readdir(sandbox.folder)).sort()).toEqual(['data', 'there.db', 'there.tar']);
  });

  test('is refused in one line that names its folder if the folder does not exist', {
    tags: ['full'],
  }, async () => {
    await begin();
    const folder = join(sandbox.folder, 'no');
    for (const name of ['where.db', 'where.tar']) {
      const { code, stderr } = await sandbox.run(['backup', join(folder, name)]);
      expect(stderr).toBe(`catalog: cannot write to ${folder}: no such file or directory\n`);
      expect(code).toBe(1);
    }
  });

  test('is refused if its name is too long, and accepted with the longest possible name', {
    tags: ['full'],
  }, async () => {
    await begin();
    const longest = `${'x'.repeat(251)}.tar`;
    expect(await sandbox.run(['backup', longest])).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await sandbox.run(['backup', `y${longest}`]);
    expect(stderr).toMatch(/^catalog: cannot write to \S*yx+\.tar: name too long\n$/);
    expect(code).toBe(1);
    expect((await readdir(sandbox.folder)).sort()).toEqual(['data', longest]);
  });

  test('is refused as a usage error if it has a wrong ending, or is a .db with --store', {
    tags: ['full'],
  }, async () => {
    await begin();
    for (const args of [['-'], ['./-'], ['a.zip'], ['a'], ['a.db', '--store']]) {
      const { code, stdout, stderr } = await sandbox.run(['backup', ...args]);
      expect(stderr).toMatch(/^catalog: .+\n$/);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    }
    expect(await readdir(sandbox.folder)).toEqual(['data']);
  });
});

/** Returns area, name, size, time and checksum of every file. The database must record the same. */
async function filesIn(data: string): Promise<string[]> {
  const found: string[] = [];
  for (const [area, folder] of [
    ['covers', 'covers'],
    ['games', 'store/games'],
  ] as const) {
    for (const name of await readdir(join(data, folder))) {
      const path = join(data, folder, name);
      const { size, mtimeNs } = await stat(path, { bigint: true });
      const sum = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      found.push(`${area} ${name} ${size} ${mtimeNs} ${sum}`);
    }
  }
  return found.sort();
}

function recordedIn(data: string): unknown[] {
  const database = new Database(join(data, 'catalog.db'), { readonly: true });
  try {
    const sql = `SELECT area || ' ' || name || ' ' || size || ' ' || mtime_ns || ' ' || sha256 FROM stored_file`;
    return database.prepare(sql).pluck().all().sort();
  } finally {
    database.close();
  }
}

/** Sets the modification time of a file with nanosecond precision. */
function setTime(file: string, ns: bigint): void {
  const text = `${ns / 1_000_000_000n}.${`${ns % 1_000_000_000n}`.padStart(9, '0')}`;
  execFileSync('touch', ['-d', `@${text}`, file]);
}

/** Checks a copy of the database without changing it. Returns the number of its tokens. */
function inspect(file: string): number {
  const database = new Database(file, { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('journal_mode', { simple: true })).toBe('delete');
    const row = database.prepare<[], { n: number }>('select count(*) as n from token').get();
    return row?.n ?? 0;
  } finally {
    database.close();
  }
}
