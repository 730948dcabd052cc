import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Migration, migrate } from '../../../src/sql/sqlite/migrate.ts';
import { exitCode, ITEM_TABLE, type TestTables, testFolder } from './sqlite-fixture.ts';

const folder = testFolder();
const STEPS: Migration<TestTables>[] = [
  { name: 'items', statements: [ITEM_TABLE, 'create index item_mtime on item (mtime_ns)'] },
  {
    name: 'first item',
    statements: async (trx) => {
      await trx.insertInto('item').values({ name: 'first', mtime_ns: null }).execute();
    },
  },
];

describe('migrate', () => {
  it('runs missing steps once', async () => {
    const db = await folder.open();
    await migrate(db, STEPS.slice(0, 1));
    await migrate(db, STEPS);
    await migrate(db, STEPS);
    expect(await db.read.selectFrom('item').select('name').execute()).toEqual([{ name: 'first' }]);
    const { rows } = await sql`select version from schema_version`.execute(db.read);
    expect(rows).toEqual([{ version: 2 }]);
  });

  it('waits for another process whose copy of the database takes long', {
    tags: ['full'],
  }, async () => {
    const slow = await folder.open();
    await migrate(slow, STEPS.slice(0, 1));
    const waiting = await folder.open();
    const copying = Promise.withResolvers<void>();
    // This takes longer than an idle transaction may keep other processes waiting.
    const copySlowly: typeof slow.copy = async (...args) => {
      await slow.copy(...args);
      copying.resolve();
      await setTimeout(2_000);
    };
    const slowly = new Proxy(slow, {
      get(engine, name) {
        if (name === 'copy') return copySlowly;
        const value = Reflect.get(engine, name, engine);
        return typeof value === 'function' ? value.bind(engine) : value;
      },
    });
    const first = migrate(slowly, STEPS);
    await copying.promise;
    await Promise.all([first, migrate(waiting, STEPS)]);
    expect(await readdir(folder.path('backups'))).toEqual(['before-1.db']);
  });

  it('keeps the version before a failed step, and no change of that step', async () => {
    const db = await folder.open();
    const broken = { name: 'broken', statements: ['create table a (b)', 'create table a (b)'] };
    const failed = migrate(db, [...STEPS, broken]);
    await expect(failed).rejects.toThrow('the migration "broken" failed: table a already exists');
    const { rows } =
      await sql`select version, (select count(*) from sqlite_schema where name = 'a') as a
      from schema_version`.execute(db.read);
    expect(rows).toEqual([{ version: 2, a: 0 }]);
  });

  it('refuses a newer database and one of another program', async () => {
    const db = await folder.open();
    await migrate(db, STEPS);
    await expect(migrate(db, STEPS.slice(0, 1))).rejects.toMatchObject({
      kind: 'refused',
      message: `the database in ${db.name} is of version 2, this program knows up to version 1: use a newer catalog`,
    });
    const other = await folder.open('other.db');
    await other.write((trx) => sql`create table bookmark (url text)`.execute(trx));
    await expect(migrate(other, STEPS)).rejects.toThrow('is a database of another program');
  });

  it('succeeds without steps to run while another connection holds the write lock', async () => {
    const db = await folder.open();
    await migrate(db, STEPS);
    const other = new Database(folder.path());
    other.exec('begin immediate');
    await migrate(db, STEPS);
    other.close();
  });

  it('can be run by several processes at once', async () => {
    const steps = Array.from({ length: 20 }, (_, i) => ({
      name: `step ${i}`,
      statements: [`create table t${i} (id integer primary key) strict`],
    }));
    const children = Array.from({ length: 3 }, () =>
      folder.start(`
        const db = await openSqlite(file, { create: true });
        await migrate(db, ${JSON.stringify(steps)});
        await db.close();`),
    );
    expect(await Promise.all(children.map(exitCode))).toEqual([0, 0, 0]);
    const db = new Database(folder.path(), { readonly: true });
    expect(db.prepare('select version from schema_version').pluck().all()).toEqual([20]);
    db.close();
  });
});

describe('the copy of a SQLite database', () => {
  it('has one consistent state although the database is written at the same time', async () => {
    const db = await folder.open();
    await migrate(db, STEPS);
    const filler = 'x'.repeat(2000);
    await db.write((_, bulk) =>
      bulk.run(
        'insert into item (name) values (?)',
        Array.from({ length: 20_000 }, (_, i) => [`${filler}${i}`]),
      ),
    );
    let isRunning = true;
    let written = 0;
    const writing = (async () => {
      while (isRunning) {
        // the rows are inserted in pairs, so an odd number of rows in a copy would show an
        // inconsistency
        await db.write((_, bulk) =>
          bulk.run('insert into item (name) values (?)', [[`a${written}`], [`b${written}`]]),
        );
        written++;
      }
    })();
    await db.copy(folder.path('backup.db'));
    isRunning = false;
    await writing;
    expect(written).toBeGreaterThan(2);

    const copy = new Database(folder.path('backup.db'), { readonly: true });
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    const rows = copy.prepare('select count(*) from item').pluck().get() as number;
    expect(rows).toBeGreaterThanOrEqual(20_001);
    expect(rows % 2).toBe(1);
    copy.close();
    expect((await stat(folder.path('backup.db'))).mode & 0o777).toBe(0o600);
    expect((await readdir(folder.path('.'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is refused for an existing file, and in a missing folder', async () => {
    const db = await folder.open();
    await migrate(db, STEPS);
    await writeFile(folder.path('old.db'), 'mine');
    await expect(db.copy(folder.path('old.db'))).rejects.toThrow('exists already');
    expect(await readFile(folder.path('old.db'), 'utf8')).toBe('mine');
    await expect(db.copy(folder.path('no/such/folder.db'))).rejects.toMatchObject({
      kind: 'refused',
    });
  });
});
