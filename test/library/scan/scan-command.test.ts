import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { type Sandbox, useSandbox } from '../../support/process.ts';
import { testSomeAndMany } from '../../support/some-and-many.ts';

const MIB = 1_048_576;

/**
 * Returns a sandbox with these files in its games root. `scan` runs `catalog scan` on this root.
 */
async function useRoot(files: Readonly<Record<string, string>> = {}) {
  const sandbox = await useSandbox();
  await sandbox.createDataFolder();
  const root = join(sandbox.folder, 'games');
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  const args = (more: readonly string[]) => ['scan', '--games-root', root, ...more];
  return {
    sandbox,
    root,
    scan: (...more: string[]) => sandbox.run(args(more)),
    start: (...more: string[]) => sandbox.start(args(more)),
    json: async (...more: string[]) =>
      JSON.parse((await sandbox.run(args([...more, '--json']))).stdout),
  };
}

/** Writes sparse files, which are slow to hash but use no disk space. */
function writeSparse(root: string, count: number, bytes: number): void {
  for (let i = 0; i < count; i += 1) {
    const path = join(root, `${i}.iso`);
    writeFileSync(path, `${i}`);
    truncateSync(path, bytes);
  }
}

function hashedIn(sandbox: Sandbox): string[] {
  try {
    const database = new Database(join(sandbox.data, 'catalog.db'), { readonly: true });
    try {
      const sql = 'SELECT name FROM library_file WHERE sha1 IS NOT NULL ORDER BY name';
      return database.prepare<[], string>(sql).pluck().all();
    } finally {
      database.close();
    }
  } catch {
    return []; // the database does not exist yet
  }
}

describe('catalog scan', () => {
  test('prints the report as text and as JSON, and opens no file in a second run', async () => {
    const { scan, json, root } = await useRoot({ 'a.iso': 'a', 'b.iso': 'bb' });
    const first = await scan('--jobs', '3');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toBe(
      '2 files: none recognised, 2 unknown\n' +
        '2 examined, 0 moved, 0 gone, 0 unreadable, 0 damaged, 2 hashed\n',
    );
    const none = { unreadable: [], damaged: [], postponed: [], problems: [], moved: 0, gone: 0 };
    const recognised = { sha1: 0, md5: 0, crc32: 0, serial: 0, name: 0, manual: 0 };
    const unchanged = { inSets: 0, tied: 0, matchesLost: 0, matchesChanged: 0 };
    const same = { files: 2, recognised, unknown: 2, ...unchanged, ...none };
    expect(await json()).toEqual({ ...same, looked: 0, hashed: 0 });
    expect(await json('--full', '--no-hash')).toEqual({ ...same, looked: 2, hashed: 0 });
    writeFileSync(join(root, 'c.iso'), 'c');
    expect(await json('--no-hash')).toMatchObject({ files: 3, looked: 1, hashed: 0 });
    expect(await json()).toMatchObject({ looked: 0, hashed: 1 });
  });

  test('prints the searched root if it finds no files', { tags: ['full'] }, async () => {
    const { scan, root } = await useRoot();
    expect((await scan()).stdout).toContain(`no files found below ${root}`);
    writeFileSync(join(root, 'a.iso'), 'a');
    expect((await scan()).stdout).not.toContain('no files found below');
  });

  test('treats a folder that is given twice, once for videos, as one videos root', {
    tags: ['full'],
  }, async () => {
    const { sandbox, json, root } = await useRoot({ 'a.iso': 'a', 'b.iso': 'bb' });
    const again = ['--games-root', `${root}/`, '--videos-root', join(root, '..', 'games')];
    expect(await json(...again)).toMatchObject({ files: 2, looked: 2, hashed: 2 });
    const database = new Database(join(sandbox.data, 'catalog.db'), { readonly: true });
    const roots = database.prepare('SELECT system FROM library_root').all();
    database.close();
    expect(roots).toEqual([{ system: 'videos' }]);
  });

  test('fails for a missing root and keeps its records, unless --forget removes them', {
    tags: ['full'],
  }, async () => {
    const { sandbox, scan, json } = await useRoot({ 'a.iso': 'a' });
    expect((await scan()).code).toBe(0);
    const missing = join(sandbox.folder, 'missing');
    const two = await scan('--games-root', missing);
    expect(two).toMatchObject({
      code: 1,
      stderr: `catalog: library root ${missing}: it does not exist; check the path\n`,
    });
    const { rename } = await import('node:fs/promises');
    await rename(join(sandbox.folder, 'games'), join(sandbox.folder, 'away'));
    expect(await scan()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^catalog: library root .*: it does not exist; the records of 1 file below it are kept \(--forget removes them\)\n$/,
      ),
    });
    expect((await json()).files).toBe(1);
    const forgetting = await scan('--forget');
    expect(forgetting).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('the records of 1 file below it were removed'),
    });
    expect((await json()).files).toBe(0);
  });

  test('names a damaged file without control characters, and exits with 0', async () => {
    const { scan, root } = await useRoot({ 'a.iso': 'a' });
    // A CSO with an incorrect size in its header, which counts as damaged.
    const cso = Buffer.alloc(64);
    cso.write('CISO');
    cso.writeUInt32LE(24, 4);
    cso.writeBigUInt64LE(10n ** 12n, 8);
    cso.writeUInt32LE(2048, 16);
    cso[20] = 1;
    writeFileSync(join(root, 'bad\n\u001b[31m.cso'), cso);
    const ended = await scan();
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^\S+\/bad\?\?\[31m\.cso: damaged: it .+\n$/);
    expect(ended.stdout).toMatch(/2 files.*\n.* 0 unreadable, 1 damaged, 1 hashed\n/);
  });

  test.each(['0', '65', 'two', '1.5', ''])('refuses --jobs "%s"', async (jobs) => {
    const { scan } = await useRoot();
    expect(await scan('--jobs', jobs)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a whole number from 1 to 64'),
    });
  });

  const stopped = 'loses at most the current file on Ctrl-C or kill -9, and refuses a second scan';
  test(stopped, { tags: ['full'] }, async () => {
    // with this number of files, a scan that does not stop at once is still running
    const files = 120;
    const { sandbox, root, start, json } = await useRoot();
    writeSparse(root, files, 16 * MIB);

    const first = start('--jobs', '1');
    await expect.poll(() => hashedIn(sandbox).length).toBeGreaterThanOrEqual(1);
    const second = await start('--no-hash').ended;
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(
      /another scan is running \(job 1, started .*\): wait for it to end/,
    );
    first.kill('SIGINT');
    const stopped = await first.ended;
    expect(stopped).toMatchObject({ code: 130, signal: null });
    expect(stopped.stderr).toMatch('stopped; the next scan continues where this one stopped');

    const before = hashedIn(sandbox).length;
    expect(before).toBeLessThan(files - 1);
    const third = start('--jobs', '1');
    await expect.poll(() => hashedIn(sandbox).length).toBeGreaterThan(before);
    third.kill('SIGKILL');
    expect(await third.ended).toMatchObject({ signal: 'SIGKILL' });

    const hashed = hashedIn(sandbox);
    expect(hashed.length).toBeLessThan(files);
    const left = Array.from({ length: files }, (_, i) => `${i}.iso`).filter(
      (name) => !hashed.includes(name),
    );
    // leave two files, which suffice to show that the other files are not hashed again
    for (const name of left.splice(2)) rmSync(join(root, name));
    const all = hashed.length + left.length;
    expect(await json()).toMatchObject({ files: all, looked: 0, hashed: left.length });
  });

  const lines = 'prints lines with files, bytes, rate and remaining time without a terminal';
  test(lines, { tags: ['full'] }, async () => {
    const { root, scan } = await useRoot();
    writeSparse(root, 2, 600 * MIB);
    const { stderr } = await scan('--jobs', '1');
    expect(stderr).toMatch(
      /^hash: [01] of 2 files, [\d.]+ \wiB of 1\.17 GiB, [\d.]+ MiB\/s, \d+ (?:s|min|h) left\n/,
    );
  });

  testSomeAndMany(
    'identifies $count files in the first of two runs only',
    { some: 200, many: 5_000 },
    async (count) => {
      const names = Array.from({ length: count }, (_, i) => `${i}.iso`);
      const { json } = await useRoot(Object.fromEntries(names.map((name) => [name, name])));
      expect(await json('--no-hash')).toMatchObject({ files: count, looked: count });
      expect(await json('--no-hash')).toMatchObject({ files: count, looked: 0 });
    },
  );
});
