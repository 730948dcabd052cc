import { writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { exitCode, firstOutput, ITEM_TABLE, testFolder } from './sqlite-fixture.ts';

const folder = testFolder();

async function openWithItems() {
  const db = await folder.open();
  await db.write((trx) => sql.raw(ITEM_TABLE).execute(trx));
  const add = (name: string, busyMs?: number) =>
    db.write(
      (trx) => trx.insertInto('item').values({ name, mtime_ns: null }).execute(),
      busyMs === undefined ? {} : { busyMs },
    );
  const names = async () => (await db.read.selectFrom('item').select('name').execute()).length;
  return { db, add, names };
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

describe('an engine while another connection holds the write lock', () => {
  it('reads at once, refuses a write at its time limit, and runs the others after the lock', async () => {
    const { add, names } = await openWithItems();
    const other = new Database(folder.path());
    other.exec('begin immediate');
    const waiting = Array.from({ length: 50 }, (_, i) => add(`waits ${i}`, 60_000));
    const short = failureOf(add('short', 50));
    for (let i = 0; i < 20; i++) expect(await names()).toBe(0);
    expect(await short).toMatchObject({ kind: 'busy', retryAfter: 1 });
    other.exec('rollback');
    other.close();
    await Promise.all(waiting);
    expect(await names()).toBe(50);
  });
});

describe('a transaction during which its process computes', () => {
  it('is rolled back once another process waits for it, and runs again', async () => {
    const { add, db } = await openWithItems();
    const child = folder.start(`
      import { existsSync } from 'node:fs';
      const db = await openSqlite(file, {});
      let tries = 0;
      await db.write(async (trx) => {
        tries += 1;
        await trx.insertInto('item').values({ name: 'try ' + tries }).execute();
        if (tries > 1) return;
        console.log('computes');
        while (!existsSync(file + '.go'));
      });
      await db.close();`);
    await firstOutput(child);
    await add('waited');
    const ended = exitCode(child);
    writeFileSync(folder.path('catalog.db.go'), '');
    expect(await ended).toBe(0);
    const rows = await db.read.selectFrom('item').select('name').orderBy('id').execute();
    expect(rows.map(({ name }) => name)).toEqual(['waited', 'try 2']);
  });
});

describe('a SQLite database whose process is killed', () => {
  it('keeps every write that was acknowledged, and nothing of an open transaction', async () => {
    const { db } = await openWithItems();
    await db.close();
    const child = folder.start(`
      const db = await openSqlite(file, {});
      for (let i = 1; ; i++) {
        await db.write((trx) => trx.insertInto('item').values({ name: 'n' + i }).execute());
        console.log(i);
        if (i === 30) {
          await db.write(async (trx) => {
            await trx.insertInto('item').values({ name: 'open' }).execute();
            process.kill(process.pid, 'SIGKILL');
            await new Promise(() => setInterval(() => {}, 1000));
          });
        }
      }`);
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
    });
    await new Promise((resolve) => child.once('close', resolve));
    const acknowledged = Number(printed.trim().split('\n').at(-1));
    expect(acknowledged).toBe(30);
    const again = await folder.open();
    const rows = await again.read.selectFrom('item').select('name').orderBy('id').execute();
    expect(rows.map((row) => row.name)).toEqual(Array.from({ length: 30 }, (_, i) => `n${i + 1}`));
  });
});

describe('stage', () => {
  it('leaves the write lock free while it fills its tables', async () => {
    const { db, names } = await openWithItems();
    const other = new Database(folder.path(), { timeout: 0 });
    await db.stage(async (trx, bulk) => {
      await sql`create temp table staged (id integer primary key, name text) strict`.execute(trx);
      const rows = Array.from({ length: 20_000 }, (_, i) => [i, 'staged']);
      const filled = bulk.run('insert into staged values (?, ?)', rows);
      const isFilled = filled.then(() => true);
      let writes = 0;
      do {
        other.exec(`insert into item (name) values ('${writes}')`); // throws if it is locked
        writes += 1;
      } while (!(await Promise.race([isFilled, nextTurn(false)])));
      expect(await filled).toBe(20_000);
      expect(await names()).toBe(writes);
    });
    other.close();
  });

  it('leaves no transaction open if some of many rows cannot be sent', async () => {
    const { db, add, names } = await openWithItems();
    await db.stage(async (trx, bulk) => {
      await sql`create temp table staged (id integer primary key, name text) strict`.execute(trx);
      const rows = Array.from({ length: 2_500 }, (_, i) => [i, i < 2_400 ? 'a' : Symbol('b')]);
      const filled = bulk.run('insert into staged values (?, ?)', rows);
      await expect(filled).rejects.toThrow('could not be cloned');
      const { rows: counts } = await sql`select count(*) as n from staged`.execute(trx);
      expect(counts).toEqual([{ n: 0 }]);
    });
    await add('later');
    expect(await names()).toBe(1);
  });
});
