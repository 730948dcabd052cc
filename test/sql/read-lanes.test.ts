import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ClientContext, withClient } from '../../src/core/shared/requests/client-context.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import type { ReadLimits } from '../../src/sql/engine/read-queue.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import { DatabaseThread } from '../../src/sql/sqlite/threads/thread.ts';
import { testFolder } from './sqlite/sqlite-fixture.ts';

const folder = testFolder();
const never = 2 ** 31 - 1;

async function open(limits: Partial<ReadLimits>, readers = 3): Promise<Engine> {
  const engine = await openSqlite(folder.path(), {
    create: true,
    readers,
    limits: { longMs: never, waitMs: never, ...limits },
  });
  onTestFinished(() => engine.close());
  await secondThread(engine);
  return engine;
}

/**
 * Runs a long read, which starts the second thread. The start may take longer than the default
 * timeout of `poll`.
 */
async function secondThread(engine: Engine): Promise<void> {
  await expect.poll(counting(engine, 1), { timeout: 30_000 }).toBe(1);
}

/**
 * Returns a client. `leave` closes its connection. The connection is also closed when the test
 * ends.
 */
function client(network: string): ClientContext & { leave(): void } {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  return { network, signal: controller.signal, leave: () => controller.abort() };
}

/** Returns a read that counts to `max`. Without `max`, the read does not end by itself. */
function counting({ longRead: db }: Pick<Engine, 'longRead'>, max = Number.MAX_SAFE_INTEGER) {
  const counted: RawBuilder<{ n: number }> = sql`WITH RECURSIVE number (n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM number
      WHERE n < ${max} AND ${db.dialect.interruptionPoint(sql.ref('n'))})
    SELECT count(*) AS n FROM number`;
  return async () => (await counted.execute(db)).rows[0]?.n;
}

const quick = async ({ read }: Engine) =>
  (await sql<{ one: number }>`SELECT 1 AS one`.execute(read)).rows[0]?.one;

const isBusy = { kind: 'busy', message: 'busy', retryAfter: 1 };

describe('the pool of readers', () => {
  test('runs quick reads without waiting for any number of long reads', async () => {
    const engine = await open({});
    const reader = client('192.0.2.1');
    const long = Array.from({ length: 40 }, () => withClient(reader, counting(engine)));
    // The quick reads occupy their own thread. Quick reads must not use the other threads, which
    // the long reads occupy.
    const reads = Array.from({ length: 20 }, () => withClient(reader, () => quick(engine)));
    expect(await Promise.all(reads)).toEqual(Array(20).fill(1));
    for (let i = 0; i < 20; i += 1) expect(await withClient(reader, () => quick(engine))).toBe(1);
    reader.leave();
    for (const one of await Promise.allSettled(long)) expect(one).toMatchObject({ reason: isBusy });
    expect(await withClient(client('192.0.2.1'), counting(engine, 10))).toBe(10);
  });

  test("ends a client's read that takes too long, and continues to use its thread", async () => {
    const engine = await open({ longMs: 20 });
    const reader = client('192.0.2.1');
    const long = Array.from({ length: 4 }, () => withClient(reader, counting(engine)));
    for (const one of await Promise.allSettled(long)) expect(one).toMatchObject({ reason: isBusy });
    expect(await counting(engine, 1_000)()).toBe(1_000);
  });

  test('starts threads only when there is work for them', async () => {
    const threads = vi.spyOn(DatabaseThread, 'start');
    const engine = await openSqlite(folder.path(), { create: true, readers: 2 });
    onTestFinished(() => engine.close());
    for (let i = 0; i < 3; i += 1) expect(await quick(engine)).toBe(1);
    expect(threads).toHaveBeenCalledTimes(2); // one is for the writer
    await Promise.all([counting(engine, 1)(), quick(engine), counting(engine, 1)()]);
    expect(threads).toHaveBeenCalledTimes(3);
  });

  test('starts no thread for quick reads that wait for less time than a start takes', async () => {
    const threads = vi.spyOn(DatabaseThread, 'start');
    const engine = await openSqlite(folder.path(), { create: true, readers: 2 });
    onTestFinished(() => engine.close());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const readMany = async (rows: number) => {
      const slow = counting({ longRead: engine.read }, rows);
      const responses = Array.from({ length: 10 }, slow); // some of these reads must wait
      await nextTurn(); // the reads have been sent
      return { completed: Promise.all(responses) };
    };
    await (await readMany(1)).completed;
    vi.advanceTimersByTime(30);
    expect(threads).toHaveBeenCalledTimes(2); // one is for the writer
    const { completed } = await readMany(1_000_000);
    const sentAt = performance.now();
    while (performance.now() - sentAt < 10) await nextTurn(); // the thread now counts as stuck
    vi.advanceTimersByTime(29);
    expect(threads).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1);
    expect(threads).toHaveBeenCalledTimes(3);
    await completed;
  });

  test('does not end long reads of the program itself', async () => {
    const engine = await open({ longMs: 1 });
    expect(await counting(engine, 2_000_000)()).toBe(2_000_000);
  });

  test('alternates between clients, and lets none of them fill the queue', async () => {
    const engine = await open({ long: { max: 4, maxPerOwner: 3 } }, 2);
    const first = client('192.0.2.1');
    const holding = withClient(first, counting(engine));
    const order: string[] = [];
    const readAs = async (network: string, name: string) => {
      await withClient(client(network), counting(engine, 10));
      order.push(name);
    };
    const reads = ['a1', 'a2', 'a3'].map((name) => readAs('192.0.2.1', name));
    await expect(readAs('192.0.2.1', 'a4')).rejects.toMatchObject(isBusy);
    reads.push(readAs('192.0.2.2', 'b1'));
    await expect(readAs('192.0.2.3', 'c1')).rejects.toMatchObject(isBusy);
    first.leave();
    await expect(holding).rejects.toMatchObject(isBusy);
    await Promise.all(reads);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('refuses a read that waits too long, and skips one whose client has left', async () => {
    const engine = await open({ waitMs: 20 }, 2);
    const first = client('192.0.2.1');
    const holding = withClient(first, counting(engine));
    await expect(withClient(client('192.0.2.2'), counting(engine, 10))).rejects.toMatchObject(
      isBusy,
    );
    const gone = client('192.0.2.3');
    const left = withClient(gone, counting(engine));
    gone.leave();
    await expect(left).rejects.toMatchObject(isBusy);
    first.leave();
    await expect(holding).rejects.toMatchObject(isBusy);
    // No aborted read is queued before this one.
    expect(await withClient(client('192.0.2.2'), counting(engine, 10))).toBe(10);
  });

  test('serves both lanes of a command with one thread', async () => {
    const engine = await open({}, 1);
    const responses = [counting(engine, 1_000)(), quick(engine), counting(engine, 10)()];
    expect(await Promise.all(responses)).toEqual([1_000, 1, 10]);
  });
});
