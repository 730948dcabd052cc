import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import { DatabaseThread } from '../../src/sql/sqlite/thread.ts';
import { ITEM_TABLE, type TestTables, testFolder } from './sqlite-fixture.ts';

const folder = testFolder();

/** An engine with one item, and how often a thread was asked for something since. */
async function openWatched() {
  const engine = await openSqlite<TestTables>(folder.path(), { create: true });
  onTestFinished(() => engine.close());
  await engine.write(async (trx) => {
    await sql.raw(ITEM_TABLE).execute(trx);
    await trx.insertInto('item').values({ name: 'one', mtime_ns: 1 }).execute();
  });
  const asked = vi.spyOn(DatabaseThread.prototype, 'ask');
  onTestFinished(() => asked.mockRestore());
  const read = () => engine.read.selectFrom('item').select(['name', 'mtime_ns']).execute();
  const takesLong = () =>
    sql`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number
      WHERE n < 3000000) SELECT count(*) FROM number`.execute(engine.read);
  return { engine, asked, read, takesLong };
}

const one = [{ name: 'one', mtime_ns: 1 }];

test('what an index answers is read without a thread, and is what was committed last', async () => {
  const { engine, asked, read } = await openWatched();
  expect(await read()).toEqual(one);
  expect(asked).not.toHaveBeenCalled();
  await engine.write((trx) => trx.updateTable('item').set({ name: 'two' }).execute());
  expect(await read()).toEqual([{ name: 'two', mtime_ns: 1 }]);
});

test('after one that takes long threads are asked, until a hundred in a row were quick', async () => {
  const { asked, read, takesLong } = await openWatched();
  await takesLong();
  expect(asked).not.toHaveBeenCalled();
  expect(await read()).toEqual(one);
  expect(asked).toHaveBeenCalledTimes(1);
  for (let more = 0; more < 5_000; more += 1) {
    const before = asked.mock.calls.length;
    expect(await read()).toEqual(one);
    if (asked.mock.calls.length === before) return;
    expect(asked.mock.calls.length).toBe(before + 1);
  }
  throw new Error('threads are still asked');
});

test('one that fails is told as by a thread, and the next is answered', async () => {
  const { engine, read } = await openWatched();
  await expect(sql`SELECT absent FROM item`.execute(engine.read)).rejects.toThrow(
    'no such column: absent',
  );
  expect(await read()).toEqual(one);
});

test('many in a row leave the event loop its turns', async () => {
  const { read } = await openWatched();
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const until = performance.now() + 100;
  while (performance.now() < until) await read();
  isDone = true;
  expect(turns).toBeGreaterThan(2);
});

test('those that were asked before the end are answered, and none after it', async () => {
  const { engine, read } = await openWatched();
  const reads = Promise.all(Array.from({ length: 500 }, read));
  const closed = engine.close();
  expect((await reads).every((rows) => rows.length === 1)).toBe(true);
  await closed;
  await expect(read()).rejects.toThrow('the database is closed');
});
