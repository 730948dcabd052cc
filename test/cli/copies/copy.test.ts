import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { testedDatabases } from '../../support/data/databases.ts';
import { logIn } from '../../support/http/client.ts';
import { createRequester } from '../../support/http/requester.ts';
import { tusClient } from '../../support/http/tus.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { useSandbox } from '../../support/process.ts';
import { pngText } from './backup-content.ts';
import { emptyDatabase, fill, query, readResponses } from './copied-catalogue.ts';

const server = testedDatabases().find(({ name }) => name !== 'SQLite');

describe('catalog copy', () => {
  test.runIf(server)(
    'copies a catalogue to a database server and back, with or without its files',
    { tags: ['full'] },
    async () => {
      const sandbox = await useSandbox();
      await fill(sandbox);
      const databaseUrl = await emptyDatabase();
      const there = await sandbox.run(['copy'], { env: { CATALOG_COPY_TO: databaseUrl } });
      expect(there).toMatchObject({ code: 0, stderr: '' });
      expect(there.stdout).toMatch(
        /^copied \d+ rows to postgres:\/\/127.+ and compared each of them\n.+ are shared: serve only one/,
      );
      expect(there.stdout).not.toContain(new URL(databaseUrl).password);
      const onServer = { CATALOG_DATABASE: databaseUrl };
      const back = join(sandbox.folder, 'back');
      const { code, stdout } = await sandbox.run(['copy', '--to', back, '--json'], {
        env: onServer,
      });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        database: back,
        uploads: 0,
        dats: 0,
        files: { covers: 2, archives: 1, skipped: 0 },
      });
      expect(await readdir(back)).toEqual(
        expect.arrayContaining(['catalog.db', 'covers', 'store']),
      );
      expect((await stat(join(back, 'catalog.db'))).mode & 0o777).toBe(0o600);
      const first = await readResponses(sandbox, [], {});
      expect(first).toMatchObject({ cover: pngText('three'), archive: 'an archive' });
      expect(await readResponses(sandbox, [], onServer)).toEqual(first);
      expect(await readResponses(sandbox, ['--data', back], {})).toEqual(first);
      expect(await sandbox.run(['verify', '--data', back])).toMatchObject({ code: 0 });
    },
  );

  test('reports how many unfinished uploads and uploaded DATs it does not copy', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const tus = tusClient(createRequester(server.url), await logIn(server.url));
    const begin = (filename: string, system: string) => tus.createUpload(4, { filename, system });
    await begin('unfinished.zip', 'games');
    for (const [filename, system] of [
      ['one.dat', 'dats'],
      ['two.dat', 'dats'],
      ['whole.zip', 'games'],
    ] as const) {
      const path = await begin(filename, system);
      expect((await tus.send(path, 0, Buffer.from('text'))).status).toBe(204);
      expect((await tus.waitUntilChecked(path)).state).toBe('done');
    }
    await server.stop();
    const args = ['copy', '--to', join(sandbox.folder, 'copy')];
    const { code, stdout } = await sandbox.run(args);
    expect(code).toBe(0);
    expect(stdout).toContain(
      '1 unfinished uploads were not copied\n2 uploaded DATs were not copied: upload them again',
    );
    expect(stdout).toContain('copied 0 covers and 1 archives');
  });
});

describe('the target of a copy', () => {
  test.each([
    [
      'contains a password',
      () => ['--to', 'postgres://a:s3cret@b/c'],
      2,
      /password.+CATALOG_COPY_TO/,
    ],
    ['contains other files', (data: string) => ['--to', join(data, '..')], 1, /is not empty: /],
  ])('is refused if it %s', isRefused);

  test.each([
    ['is the catalogue itself', (data: string) => ['--to', data], 2, /is the catalogue to copy\n/],
    ['is missing', () => [], 2, /--to: set the target/],
    ['is neither a folder nor a database', () => ['--to', 'mysql://a/b'], 2, /--to: is neither/],
    [
      'is a folder with another folder for its files',
      (data: string) => ['--to', `${data}-2`, '--files-to', `${data}-3`],
      2,
      /--files-to: /,
    ],
  ])('is refused if it %s', { tags: ['full'] }, isRefused);

  async function isRefused(
    _what: string,
    args: (data: string) => string[],
    code: number,
    message: RegExp,
  ): Promise<void> {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const ended = await sandbox.run(['copy', ...args(sandbox.data)]);
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(message) });
    expect(ended.stderr).not.toContain('s3cret');
    expect(await readdir(sandbox.folder)).toEqual(['data']);
  }

  test.runIf(server)(
    "is refused if it holds a catalogue or another program's tables",
    { tags: ['full'] },
    async () => {
      const sandbox = await useSandbox();
      await sandbox.createDataFolder();
      const databaseUrl = await emptyDatabase();
      const run = () => sandbox.run(['copy'], { env: { CATALOG_COPY_TO: databaseUrl } });
      await query(databaseUrl, 'CREATE TABLE other (id integer)');
      expect(await run()).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/is not empty, it contains tables of another/),
      });
      await query(databaseUrl, 'DROP TABLE other');
      expect(await run()).toMatchObject({ code: 0 });
      expect(await run()).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/is not empty, it contains a catalogue/),
      });
    },
  );
});

describe('an interrupted copy', () => {
  test.runIf(server)('leaves an empty target, and is repeatable', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const databaseUrl = await emptyDatabase();
    const env = { CATALOG_COPY_TO: databaseUrl };
    // Schema changes wait for this advisory lock.
    const holder = new pg.Client(databaseUrl);
    await holder.connect();
    onTestFinished(() => holder.end());
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGKILL', null],
    ] as const) {
      await holder.query('SELECT pg_advisory_lock(7021784526934551411)');
      const program = sandbox.start(['copy'], env);
      const waits = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
      await expect.poll(async () => (await query(databaseUrl, waits)).rows).not.toEqual([]);
      program.kill(signal);
      if (signal === 'SIGKILL') await program.ended;
      await holder.query('SELECT pg_advisory_unlock_all()');
      expect((await program.ended).code).toBe(code);
      const tables = `SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;
      expect((await query(databaseUrl, tables)).rows).toEqual([]);
    }
    expect(await sandbox.run(['copy'], { env })).toMatchObject({ code: 0 });
  });

  test('leaves a folder that is not accepted as a catalogue, and resumes there', async () => {
    const sandbox = await useSandbox();
    await fill(sandbox);
    const to = join(sandbox.folder, 'to');
    const program = sandbox.start(['copy', '--to', to]);
    const aside = join(to, '.catalog-copy');
    await vi.waitFor(() => stat(join(aside, 'catalog.db')), pollOptions);
    program.kill('SIGKILL');
    await program.ended;
    for (const command of [['serve'], ['import', sandbox.folder]]) {
      expect(await sandbox.run([...command, '--data', to])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/a copy or restore into \S+ was interrupted: run it again/),
      });
    }
    // Give one of the existing files other content.
    await writeFile(join(to, 'covers/1.png'), pngText('two'));
    const again = await sandbox.run(['copy', '--to', to, '--json']);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(again.stdout).files).toMatchObject({ covers: 2, archives: 1, skipped: 2 });
    expect(await readResponses(sandbox, ['--data', to], {})).toEqual(
      await readResponses(sandbox, [], {}),
    );
    expect((await readdir(to)).includes('.catalog-copy')).toBe(false);
  });

  test('empties its target folder if stopped by SIGTERM, and removes a folder that it created', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    await mkdir(join(sandbox.folder, 'there'));
    for (const name of ['there', 'made']) {
      const to = join(sandbox.folder, name);
      const program = sandbox.start(['copy', '--to', to]);
      await vi.waitFor(() => stat(join(to, '.catalog-copy', 'catalog.db')), pollOptions);
      program.kill('SIGTERM');
      expect(await program.ended).toMatchObject({
        code: 143,
        stderr: expect.stringMatching(/stopped; there is no usable copy/),
      });
    }
    expect((await readdir(sandbox.folder)).sort()).toEqual(['data', 'there']);
    expect(await readdir(join(sandbox.folder, 'there'))).toEqual([]);
  });
});
