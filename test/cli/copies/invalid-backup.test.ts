import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { type Sandbox, useSandbox } from '../../support/process.ts';
import { datOf, pngText } from './backup-content.ts';

describe('an invalid backup', () => {
  test('is refused if a byte was changed or the file was cut short', () => isRefused(['a.tar'], 1));

  test(
    'is refused if a byte in any of its parts was changed, or if it was cut to any tested length',
    { tags: ['full'] },
    () => isRefused(['a.tar', 'a.db']),
  );

  /**
   * Expects that a backup is refused after one of its bytes was changed, and after it was
   * truncated. Does this for backups of these names. Tries the first `times` positions, by default
   * all.
   */
  async function isRefused(names: readonly string[], times?: number): Promise<void> {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    await mkdir(join(sandbox.data, 'covers'), { recursive: true });
    await writeFile(join(sandbox.data, 'covers/1.png'), pngText('one'));
    for (const name of names) {
      const file = join(sandbox.folder, name);
      expect(await sandbox.run(['backup', file])).toMatchObject({ code: 0 });
      const whole = await readFile(file);
      const offsets = name === 'a.tar' ? offsetsInTar(whole) : [5000, 30, whole.length - 5000];
      for (const offset of offsets.slice(0, times)) {
        const bytes = Buffer.from(whole);
        bytes[offset] = (bytes[offset] ?? 0) ^ 4;
        await writeFile(file, bytes);
        await expectRefused(sandbox, file, / truncated or was changed |not a backup of Catalog/);
      }
      const lengths = [whole.length - 512, whole.length - 2048, 5120, 100];
      for (const length of lengths.slice(0, times)) {
        await writeFile(file, whole);
        await truncate(file, length);
        await expectRefused(sandbox, file, /truncated or was changed/);
      }
      await writeFile(file, whole);
      const data = join(sandbox.folder, `of-${name}`);
      expect(await sandbox.run(['restore', file, '--data', data])).toMatchObject({ code: 0 });
    }
  }

  test('is refused if newer, missing or not a backup; so is a non-empty data folder', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const newer = join(sandbox.folder, 'newer.db');
    expect(await sandbox.run(['backup', newer])).toMatchObject({ code: 0 });
    const data = new Database(newer);
    data.prepare('UPDATE schema_version SET version = 9999').run();
    data.close();
    await truncate(newer, (await stat(newer)).size - 4096); // removes the seal of the backup
    await expectRefused(sandbox, newer, /newer\.db is of version 9999.+use a newer catalog/);
    const other = join(sandbox.folder, 'other.tar');
    await writeFile(other, randomBytes(10_000));
    await expectRefused(sandbox, other, /not a backup of Catalog/);
    await expectRefused(sandbox, join(sandbox.folder, 'none.tar'), /no such file or directory/);
    const good = join(sandbox.folder, 'good.tar');
    expect(await sandbox.run(['backup', good])).toMatchObject({ code: 0 });
    const { code, stderr } = await sandbox.run(['restore', good]);
    expect(stderr).toMatch(
      /^catalog: \S+ is not empty: a restore needs a new or empty data folder\n$/,
    );
    expect(code).toBe(1);
  });

  test('is not made if the database is damaged', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const dat = join(sandbox.folder, 'a.dat');
    await writeFile(dat, datOf(2000));
    expect(await sandbox.run(['import', dat])).toMatchObject({ code: 0 });
    const file = join(sandbox.data, 'catalog.db');
    const bytes = await readFile(file);
    const page = 4096 * pageOf(file, 'release');
    bytes.fill(0xff, page + 8, page + 200); // the pointers of the table's root page
    await writeFile(file, bytes);
    for (const name of ['a.tar', 'a.db']) {
      const { code, stderr } = await sandbox.run(['backup', join(sandbox.folder, name)]);
      expect(stderr).toMatch(/^catalog: .*damaged: .*backup.*\n$/);
      expect(code).toBe(1);
    }
    expect((await readdir(sandbox.folder)).sort()).toEqual(['a.dat', 'data']);
  });
});

async function expectRefused(sandbox: Sandbox, file: string, why: RegExp): Promise<void> {
  const data = join(sandbox.folder, 'refused');
  const { code, stdout, stderr } = await sandbox.run(['restore', file, '--data', data]);
  expect(stderr).toMatch(why);
  expect(stderr).toMatch(/^catalog: .+\n$/);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(await readdir(sandbox.folder)).not.toContain('refused');
}

/**
 * Returns offsets in the tar: in the database, the manifest, headers, a body, its padding, the
 * checksum and the end.
 */
function offsetsInTar(whole: Buffer): number[] {
  const at = (text: string) => whole.indexOf(text);
  const manifest = at('{"catalog_backup"');
  return [
    ...[at('SQLite format 3') + 5000, manifest + 40, whole.indexOf('"sha256":"', manifest) + 12],
    ...[10, at(' mtime=') + 8, at('\x89PNG') + 9, at('one') + 20],
    ...[whole.length - 2048 + 100, whole.length - 1500, whole.length - 1000, whole.length - 3],
  ];
}

function pageOf(file: string, table: string): number {
  const database = new Database(file, { readonly: true });
  try {
    const row = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck();
    return (row.get(table) as number) - 1;
  } finally {
    database.close();
  }
}
