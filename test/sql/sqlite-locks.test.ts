import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { UniqueViolation } from '../../src/sql/engine.ts';
import { exitCode, firstOutput, ITEM_TABLE, testFolder } from './sqlite-fixture.ts';

const folder = testFolder();
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const holdLock = (ms: number) => `
  const held = new Database(file);
  held.exec('begin immediate');
  console.log('held');
  setTimeout(() => held.exec('rollback'), ${ms});`;

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

describe('another process holds the write lock for 10 s', () => {
  it('reads at once, refuses writes as busy meanwhile, and goes on afterwards', async () => {
    const { add, names } = await openWithItems();
    await firstOutput(folder.start(holdLock(10_000)));
    const heldSince = performance.now();
    const order: string[] = [];
    const refusal = async (name: string, busyMs?: number) => {
      const error = await failureOf(add(name, busyMs));
      order.push(name);
      return error;
    };

    const first = Array.from({ length: 50 }, (_, i) => refusal(`first ${i}`));
    await wait(1000);
    const second = Array.from({ length: 50 }, (_, i) => refusal(`second ${i}`));
    const short = refusal('short', 200);
    let reads = 0;
    for (; !order.includes('first 0'); reads++) {
      await names();
      await wait(20);
    }

    // all of them while the lock is held, or they would not be refused
    for (const error of await Promise.all([...first, ...second, short])) {
      expect(error).toMatchObject({ kind: 'busy', retryAfter: 1 });
    }
    expect(order[0]).toBe('short');
    expect(reads).toBeGreaterThan(5); // neither a read nor the event loop waited for the lock

    await wait(10_300 - (performance.now() - heldSince));
    await add('after');
    expect(await names()).toBe(1);
  });

  it('waits for a lock that is given back in time', async () => {
    const { add, names } = await openWithItems();
    await firstOutput(folder.start(holdLock(800)));
    await Promise.all([add('a'), add('b')]);
    expect(await names()).toBe(2);
  });
});

describe('another process that computes in the midst of a transaction', () => {
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

describe('kill -9', () => {
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
  it('fills TEMP tables while another connection writes, and the next write sees them', async () => {
    const { db, names } = await openWithItems();
    const other = new Database(folder.path(), { timeout: 0 });
    const rows = Array.from({ length: 5000 }, (_, i) => [i, `staged ${i}`]);
    await db.stage(async (trx, bulk) => {
      await sql`create temp table staged (id integer primary key, name text) strict`.execute(trx);
      const filling = bulk.run('insert into temp.staged values (?, ?)', rows);
      for (let i = 0; i < 20; i++) {
        other.prepare('insert into item (name) values (?)').run(`other ${i}`); // throws when locked
        await wait(1);
      }
      expect(await filling).toBe(5000);
      const failed = bulk.run('insert into temp.staged values (?, ?)', [
        [9000, 'a'],
        [1, 'exists'],
      ]);
      await expect(failed).rejects.toThrow(UniqueViolation);
      const { rows: counted } = await sql`select count(*) as n from staged`.execute(trx);
      expect(counted).toEqual([{ n: 5000 }]);
    });
    other.close();
    await db.write(async (trx) => {
      await sql`insert into item (name) select name from temp.staged`.execute(trx);
      await sql`drop table temp.staged`.execute(trx);
    });
    expect(await names()).toBe(5020);
  });

  it('control: the same begin with a table of the file does take the lock', async () => {
    const { db } = await openWithItems();
    const other = new Database(folder.path(), { timeout: 0 });
    await db.stage(async (trx) => {
      await sql`begin`.execute(trx);
      await trx.insertInto('item').values({ name: 'a', mtime_ns: null }).execute();
      expect(() => other.exec("insert into item (name) values ('b')")).toThrow('locked');
    });
    other.exec("insert into item (name) values ('b')"); // what stage left open was rolled back
    other.close();
  });
});
