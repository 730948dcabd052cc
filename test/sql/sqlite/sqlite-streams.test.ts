import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BatchReply } from '../../../src/sql/sqlite/threads/protocol.ts';
import { ITEM_TABLE, testFolder } from './sqlite-fixture.ts';

const folder = testFolder();
const ROWS = 20_000;
/** Number of rows that a thread sends in one message. */
const BATCH_ROWS = 500;

async function openFilled(rows: number, readers = 2) {
  const db = await folder.open(undefined, readers);
  await db.write(async (trx) => {
    await sql.raw(ITEM_TABLE).execute(trx);
    await sql`with recursive c(x) as (select 1 union all select x + 1 from c where x < ${rows})
      insert into item (id, name, mtime_ns)
      select x, 'a name of some length, as releases have them ' || x, 1790000000000000000 + x from c`.execute(
      trx,
    );
  });
  const stream = () =>
    db.read.selectFrom('item').selectAll().orderBy('id').stream()[Symbol.asyncIterator]();
  return { db, stream };
}

describe('streams of SQLite rows', () => {
  it('return all rows in order, at most two batches ahead, while other reads proceed', async () => {
    let fetched = 0;
    const count = ({ value }: { value?: Partial<BatchReply> | undefined }) => {
      if (value?.isLast !== undefined) fetched += value.rows?.length ?? 0;
    };
    const watch = (message: unknown) => {
      (message as { worker: Worker }).worker.on('message', count);
    };
    subscribe('worker_threads', watch);
    onTestFinished(() => void unsubscribe('worker_threads', watch));
    const { db } = await openFilled(ROWS, 1);
    let seen = 0;
    for await (const row of db.read.selectFrom('item').selectAll().orderBy('id').stream()) {
      seen++;
      if (row.id !== seen) throw new Error(`row ${row.id} came as number ${seen}`);
      if (seen % 1_900 !== 0) continue;
      expect(row.mtime_ns).toBe(1790000000000000000n + BigInt(seen));
      await db.read.selectFrom('item').select('name').where('id', '=', seen).executeTakeFirst();
      expect(fetched - seen).toBeLessThanOrEqual(2 * BATCH_ROWS);
    }
    expect([seen, fetched]).toEqual([ROWS, ROWS]);
  });

  it('are released when cancelled, so that any number can follow', async () => {
    const { db, stream } = await openFilled(2000);
    for (let i = 0; i < 50; i++) {
      const rows = stream();
      expect((await rows.next()).value).toMatchObject({ id: 1 });
      await rows.return?.();
    }
    await db.write((trx) => trx.deleteFrom('item').execute());
    const { rows } = await db.stage((trx) =>
      sql<{ busy: number; log: number }>`pragma wal_checkpoint(truncate)`.execute(trx),
    );
    expect(rows[0]).toMatchObject({ busy: 0, log: 0 }); // an open cursor would keep the log
  });

  it('wait until another stream ends if the maximum number of streams is open', async () => {
    const { db, stream } = await openFilled(2000, 1);
    const open = Array.from({ length: 4 }, stream);
    for (const rows of open) await rows.next();
    const fifth = stream();
    let hasStarted = false;
    const first = fifth.next().then((result) => {
      hasStarted = true;
      return result;
    });
    // If the stream were started, its first rows would arrive before the result of this later
    // query.
    await db.read.selectFrom('item').select('name').where('id', '=', 1).execute();
    expect(hasStarted).toBe(false);
    await open[0]?.return?.();
    expect((await first).value).toMatchObject({ id: 1 });
    for (const rows of [...open, fifth]) await rows.return?.();
  });

  it('fail for an invalid statement, and when the database is closed', async () => {
    const { db, stream } = await openFilled(2000);
    const wrong = sql`select nothing`.compile(db.read);
    const failing = db.read.getExecutor().stream(wrong, 1)[Symbol.asyncIterator]();
    await expect(failing.next()).rejects.toMatchObject({ code: 'SQLITE_ERROR' });
    const open = stream();
    await open.next();
    await db.close();
    const rest = async () => {
      while (!(await open.next()).done);
    };
    await expect(rest()).rejects.toThrow('the database is closed');
  });
});
