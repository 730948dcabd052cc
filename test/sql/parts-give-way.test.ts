import { mkdirSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import { ITEM_TABLE, type TestTables, testFolder } from './sqlite/sqlite-fixture.ts';

const folder = testFolder();
const writes = 10;

async function open(): Promise<Engine<TestTables>> {
  const engine = await openSqlite<TestTables>(folder.path(), { create: true });
  onTestFinished(() => engine.close());
  return engine;
}

/**
 * Writes parts of 10 ms without a pause, until `max` parts are written or `stop` is called.
 * `writing` and `stop` resolve to the number of written parts.
 */
function writeParts(engine: Engine<TestTables>, max = Infinity) {
  let isStopped = false;
  const writing = (async () => {
    let parts = 0;
    for (; !isStopped && parts < max; parts += 1) {
      await engine.write(() => pause(10), { isPart: true });
    }
    return parts;
  })();
  const stop = () => {
    isStopped = true;
    return writing;
  };
  return { writing, stop };
}

/** Returns the number of parts that one engine writes while another engine writes ten times. */
async function partsMeanwhile(one: Engine<TestTables>, other: Engine<TestTables>): Promise<number> {
  await one.write((trx) => sql.raw(ITEM_TABLE).execute(trx));
  const { stop } = writeParts(one);
  for (let i = 0; i < writes; i += 1) {
    await other.write((trx) =>
      trx
        .insertInto('item')
        .values({ name: `${i}` })
        .execute(),
    );
  }
  return stop();
}

const marks = () => readdirSync(folder.path('.')).filter((name) => name.endsWith('-waits'));

describe('a write in parts', () => {
  test('lets another write wait for the running part and at most one more', async () => {
    const [one, other] = [await open(), await open()];
    expect(await partsMeanwhile(one, other)).toBeLessThanOrEqual(2 * writes + 1);
    expect(marks()).toEqual(['catalog.db-waits']);
    await other.close();
    expect(marks()).toEqual([]);
  });

  test('lets a write that cannot signal its wait run after at most ten parts', async () => {
    const [one, other] = [await open(), await open()];
    mkdirSync(folder.path('catalog.db-waits'));
    expect(await partsMeanwhile(one, other)).toBeLessThanOrEqual(10 * writes + 1);
  });

  test('lengthens parts while no other write waits, and shortens them if one does', async () => {
    const [one, other] = [await open(), await open()];
    await one.write((trx) => sql.raw(ITEM_TABLE).execute(trx));
    const short = one.partMs();
    await writeParts(one, 8).writing;
    const long = one.partMs();
    expect(long).toBeGreaterThan(3 * short);

    const inside = one.write(() => pause(50), { isPart: true });
    const waiting = one.write(() => pause(1));
    await Promise.all([inside, waiting]);
    expect(one.partMs()).toBe(short);

    await writeParts(one, 8).writing;
    expect(one.partMs()).toBe(long);
    const parts = writeParts(one);
    await other.write(() => pause(1));
    await other.write(() => pause(1));
    await vi.waitUntil(() => one.partMs() < long, { interval: 1 });
    await parts.stop();
  });

  test('leaves no marker file if no other write waits', async () => {
    const engine = await open();
    expect(await writeParts(engine, 3).writing).toBe(3);
    expect(marks()).toEqual([]);
  });
});
