import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { migrate } from '../../../src/sql/sqlite/migrate.ts';
import { exitCode, type TestTables, testFolder } from './sqlite-fixture.ts';

const folder = testFolder();
const steps = Array.from({ length: 20 }, (_, i) => ({
  name: `step ${i}`,
  statements: [`create table t${i} (id integer primary key, filler text) strict`],
}));
const broken = { name: 'broken', statements: ['create table t0 (id)'] };

const copies = async () => (await readdir(folder.path('backups')).catch(() => [])).sort();

async function openOfVersion(version: number): Promise<Engine<TestTables>> {
  const engine = await folder.open();
  await migrate(engine, steps.slice(0, version));
  return engine;
}

function tablesOf(file: string): unknown[] {
  const database = new Database(folder.path(file), { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    return database
      .prepare('select version, (select count(*) from t0) from schema_version')
      .raw()
      .all();
  } finally {
    database.close();
  }
}

describe('the copy before an upgrade', () => {
  it('has the version before the upgrade, and is readable by its owner only', async () => {
    const engine = await openOfVersion(2);
    await engine.write((_, bulk) => bulk.run('insert into t0 (filler) values (?)', [['a'], ['b']]));
    await migrate(engine, steps.slice(0, 5));
    expect(await copies()).toEqual(['before-2.db']);
    expect(tablesOf('backups/before-2.db')).toEqual([[2, 2]]);
    expect((await stat(folder.path('backups/before-2.db'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder.path('backups'))).mode & 0o777).toBe(0o700);
  });

  it('is not made for a new database, or if there is nothing to upgrade', async () => {
    const engine = await openOfVersion(2);
    await migrate(engine, steps.slice(0, 2));
    await expect(migrate(engine, steps.slice(0, 1))).rejects.toThrow('use a newer catalog');
    expect(await copies()).toEqual([]);
  });

  it('is kept with one earlier copy; only older and temporary copies are deleted', async () => {
    const engine = await openOfVersion(1);
    await mkdir(folder.path('backups'));
    for (const name of ['before-x.db', 'mine.db', '.before-1.db.5f0c.tmp']) {
      await writeFile(folder.path(`backups/${name}`), 'text');
    }
    for (const version of [2, 3, 9, 10]) await migrate(engine, steps.slice(0, version));
    expect(await copies()).toEqual(['before-3.db', 'before-9.db', 'before-x.db', 'mine.db']);
  });

  it('replaces the copy of an upgrade that failed at its first step', async () => {
    const engine = await openOfVersion(1);
    await expect(migrate(engine, [...steps.slice(0, 1), broken])).rejects.toThrow('broken');
    await engine.write((_, bulk) => bulk.run('insert into t0 (filler) values (?)', [['later']]));
    await migrate(engine, steps.slice(0, 2));
    expect(await copies()).toEqual(['before-1.db']);
    expect(tablesOf('backups/before-1.db')).toEqual([[1, 1]]);
  });

  it('is not made again by a start that continues an interrupted upgrade', async () => {
    const engine = await openOfVersion(1);
    await expect(migrate(engine, [...steps.slice(0, 3), broken])).rejects.toThrow('broken');
    await migrate(engine, steps.slice(0, 4));
    expect(await copies()).toEqual(['before-1.db']);
    await migrate(engine, steps.slice(0, 5));
    expect(await copies()).toEqual(['before-1.db', 'before-4.db']);
  });

  it('is made once if several processes start at the same time', async () => {
    const engine = await openOfVersion(1);
    await engine.close();
    const children = Array.from({ length: 3 }, () =>
      folder.start(`
        const db = await openSqlite(file);
        await migrate(db, ${JSON.stringify(steps)});
        await db.close();`),
    );
    expect(await Promise.all(children.map(exitCode))).toEqual([0, 0, 0]);
    expect(await copies()).toEqual(['before-1.db']);
    expect(tablesOf('catalog.db')).toEqual([[20, 0]]);
  });
});

describe('an upgrade that cannot copy the database', () => {
  const refusal = (reason: string) => ({
    kind: 'refused',
    message: expect.stringMatching(
      new RegExp(
        `^the database must be upgraded, but cannot be copied to [^\\n]*${reason}[^\\n]*$`,
      ),
    ),
  });

  it('is refused until the folder for the copy can be created', async () => {
    const engine = await openOfVersion(1);
    await writeFile(folder.path('backups'), 'a file');
    const upgrade = () => migrate(engine, steps.slice(0, 2));
    await expect(upgrade()).rejects.toMatchObject(refusal('EEXIST'));
    expect(tablesOf('catalog.db')).toEqual([[1, 0]]);
    await rm(folder.path('backups'));
    await upgrade();
    expect(tablesOf('catalog.db')).toEqual([[2, 0]]);
  });

  it('is refused if the disk has no space for the copy', async ({ skip }) => {
    await mkdir(folder.path('small'));
    const mount = spawnSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      'size=4m',
      'tmpfs',
      folder.path('small'),
    ]);
    if (mount.status !== 0) return skip('skipped: mounting a tmpfs needs root');
    const engine = await folder.open('small/catalog.db');
    try {
      await migrate(engine, steps.slice(0, 1));
      await engine.write((_, bulk) =>
        bulk.run('insert into t0 (filler) values (?)', [['x'.repeat(2_400_000)]]),
      );
      const upgrade = migrate<TestTables>(engine, steps.slice(0, 2));
      await expect(upgrade).rejects.toMatchObject(refusal('the disk is full'));
      expect(await readdir(folder.path('small/backups'))).toEqual([]);
      expect(tablesOf('small/catalog.db')).toEqual([[1, 1]]);
    } finally {
      await engine.close();
      spawnSync('umount', [folder.path('small')]);
    }
  });
});
