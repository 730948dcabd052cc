import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { openSqlite } from '../../../src/sql/sqlite/open.ts';
import { exitCode, ITEM_TABLE, type TestTables, testFolder } from './sqlite-fixture.ts';

const folder = testFolder();

async function openWithItems(readers?: number): Promise<Engine<TestTables>> {
  const db = await folder.open(undefined, readers);
  await db.write((trx) => sql.raw(ITEM_TABLE).execute(trx));
  return db;
}

const addItem = (db: Engine<TestTables>, name: string) =>
  db.write((trx) => trx.insertInto('item').values({ name, mtime_ns: null }).execute());

const countItems = async (db: Engine<TestTables>) => {
  const { n } = await db.read
    .selectFrom('item')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
};

describe('results of SQLite queries', () => {
  it('keep the types of parameters: integers, booleans as 0 and 1, bytes and texts', async () => {
    const db = await folder.open();
    const bytes = new Uint8Array(Buffer.from('xx\x00\xffyy', 'latin1').buffer, 2, 2);
    const { rows } = await sql<
      Record<string, unknown>
    >`select typeof(${5}) as i, typeof(${1.5}) as r,
      ${true} as t, ${false} as f, ${bytes} as b, ${"a'é😀"} as s, ${null} as z, 2.5 as d`.execute(
      db.read,
    );
    expect(rows[0]).toEqual({
      i: 'integer',
      r: 'real',
      t: 1,
      f: 0,
      b: new Uint8Array(bytes),
      s: "a'é😀",
      z: null,
      d: 2.5,
    });
  });

  it('include the last row ID and the number of changed rows', async () => {
    const db = await openWithItems();
    const inserted = await db.write((trx) =>
      trx.insertInto('item').values({ name: 'a', mtime_ns: null }).executeTakeFirst(),
    );
    expect(inserted.insertId).toBe(1n);
    const updated = await db.write((trx) =>
      trx.updateTable('item').set({ name: 'b' }).executeTakeFirst(),
    );
    expect(updated.numUpdatedRows).toBe(1n);
    const returned = await db.write((trx) => trx.deleteFrom('item').returning('name').execute());
    expect(returned).toEqual([{ name: 'b' }]);
  });

  it('are correct with more distinct statements than the statement cache holds', async () => {
    const db = await folder.open(undefined, 1);
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 300; i++) {
        const { rows } = await sql.raw<{ v: number }>(`select ${i} as v`).execute(db.read);
        expect(rows).toEqual([{ v: i }]);
      }
    }
  });
});

describe('the SQLite engine', () => {
  // SQLite plans a statement with a bare `?` again for each value. better-sqlite3 cannot show the
  // plan, so the test checks the text.
  it('writes each parameter so that SQLite plans a statement once', async () => {
    const db = await openWithItems();
    const query = db.read.selectFrom('item').selectAll().where('name', '=', 'a').limit(1);
    expect(query.compile().sql.match(/.\?/g)).toEqual(['+?', '+?']);
    await addItem(db, 'a');
    expect(await query.execute()).toMatchObject([{ name: 'a' }]);
  });

  it('sets the pragmas that ensure durability', async () => {
    const db = await folder.open();
    const read = (name: string) =>
      db.write(async (trx) => {
        const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(trx);
        return Object.values(rows[0] ?? {})[0];
      });
    expect(await read('journal_mode')).toBe('wal');
    expect(await read('synchronous')).toBe(2);
    expect(await read('foreign_keys')).toBe(1);
    expect((await stat(folder.path())).mode & 0o777).toBe(0o600);
  });

  it('refuses writes on the read handle, and streams and transactions in a write', async () => {
    const db = await openWithItems();
    await expect(db.read.deleteFrom('item').execute()).rejects.toMatchObject({
      code: 'SQLITE_READONLY',
    });
    await expect(db.read.transaction().execute(async () => {})).rejects.toThrow('write()');
    await expect(db.write((trx) => trx.transaction().execute(async () => {}))).rejects.toThrow(
      'cannot be opened inside',
    );
    const streamed = db.write(async (trx) => {
      for await (const _ of trx.selectFrom('item').selectAll().stream());
    });
    await expect(streamed).rejects.toThrow('read handle');
  });

  it('reports a full disk, keeps nothing of the write, and works again with space', async () => {
    const db = await openWithItems();
    const limit = (pages: number) =>
      db.stage((trx) => sql.raw(`pragma max_page_count = ${pages}`).execute(trx));
    await limit(20);
    const large = Array.from({ length: 100 }, (_, i) => [`${i}`.repeat(4000)]);
    const insert = 'insert into item (name) values (?)';
    await expect(db.write((_, bulk) => bulk.run(insert, large))).rejects.toMatchObject({
      kind: 'storage-full',
    });
    expect(await countItems(db)).toBe(0);
    await limit(10_000);
    await db.write((_, bulk) => bulk.run(insert, large));
    expect(await countItems(db)).toBe(100);
  });

  it('returns 500 parallel reads while writes proceed', async () => {
    const db = await openWithItems();
    const writes = Array.from({ length: 40 }, (_, i) => addItem(db, `w${i}`));
    const reads = Array.from({ length: 500 }, async (_, i) => {
      const { rows } = await sql<{ v: number }>`select ${i} as v`.execute(db.read);
      return rows[0]?.v;
    });
    expect(await Promise.all(reads)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    await Promise.all(writes);
    expect(await countItems(db)).toBe(40);
  });
});

describe('openSqlite', () => {
  it('names the file when it refuses a missing or damaged one, a folder or another type', async () => {
    const refusal = async (name: string) => {
      const file = folder.path(name);
      const error = await openSqlite(file, {}).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'CatalogError', kind: 'refused' });
      return (error as Error).message.replace(file, 'FILE');
    };
    expect(await refusal('missing.db')).toBe('there is no database at FILE');
    await writeFile(folder.path('text.db'), 'no database at all '.repeat(400));
    expect(await refusal('text.db')).toBe('FILE is not a database');
    await mkdir(folder.path('folder.db'));
    expect(await refusal('folder.db')).toBe('FILE is not a database');

    const db = await openWithItems();
    await addItem(db, 'a');
    await db.close();
    const bytes = await readFile(folder.path());
    bytes.fill(0x55, 100, 4096); // the page with the schema, after the header
    await writeFile(folder.path('damaged.db'), bytes);
    expect(await refusal('damaged.db')).toBe(
      'the database FILE is damaged: restore it from a backup',
    );
  });

  it('refuses a file without read permission', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('root may read everything');
    await writeFile(folder.path('secret.db'), '');
    await chmod(folder.path('secret.db'), 0);
    await expect(openSqlite(folder.path('secret.db'), {})).rejects.toThrow('cannot open');
  });
});

describe('a SQLite engine that is closed or loses a thread', () => {
  it('can be closed twice, finishes pending writes and removes the log', async () => {
    const db = await openWithItems();
    const pending = [addItem(db, 'a'), addItem(db, 'b')];
    await Promise.all([db.close(), db.close()]);
    await Promise.all(pending);
    await expect(stat(folder.path('catalog.db-wal'))).rejects.toThrow('ENOENT');
    const plain = new Database(folder.path(), { readonly: true });
    expect(plain.prepare('select count(*) from item').pluck().get()).toBe(2);
    plain.close();
  });

  it('lets its process end when closed', async () => {
    const child = folder.start(`
      const db = await openSqlite(file, { create: true });
      await db.write(async () => {});
      await db.close();`);
    expect(await exitCode(child)).toBe(0);
  });

  it('fails pending and later work if a thread dies', async () => {
    const workers: Worker[] = [];
    const recordWorker = (message: unknown) => workers.push((message as { worker: Worker }).worker);
    subscribe('worker_threads', recordWorker);
    const db = await openWithItems(1);
    unsubscribe('worker_threads', recordWorker);
    expect(workers).toHaveLength(2);

    let reads: Promise<PromiseSettledResult<unknown>[]> | undefined;
    const staying = db.write(async (trx) => {
      await trx.deleteFrom('item').execute();
      // a long query, but not an endless one: a thread cannot be ended inside a call of SQLite
      const long =
        sql`with recursive c(x) as (select 1 union all select x + 1 from c where x < 4000000)
        select count(*) from c`.execute(db.read);
      reads = Promise.allSettled([long, countItems(db)]);
      await nextTurn(); // the reads have been sent
      await Promise.all(workers.map((worker) => worker.terminate()));
      await trx.deleteFrom('item').execute();
    });
    const ended = 'the database thread has ended';
    await expect(staying).rejects.toThrow(ended);
    await expect(addItem(db, 'a')).rejects.toThrow(ended);
    for (const read of (await reads) ?? []) {
      expect(read).toMatchObject({ reason: { message: ended } });
    }
    expect(reads).toBeDefined();
  });
});
