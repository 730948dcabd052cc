import { expect, onTestFinished, test } from 'vitest';
import {
  OldRecordSweeper,
  type RetentionPeriods,
} from '../../src/core/audit/old-record-sweeper.ts';
import type { OldRecordRemovals } from '../../src/core/audit/ports.ts';
import { systemClock } from '../../src/core/shared/clock.ts';
import { Leases } from '../../src/core/shared/processes/leases.ts';
import { SqlOldRecordRemovals } from '../../src/sql/audit/old-records.ts';
import { DeferredWrites } from '../../src/sql/engine/deferred-writes.ts';
import { SqlLeaseRecords } from '../../src/sql/jobs/lease-records.ts';
import { SqlStatsRecords } from '../../src/sql/stats/stats-records.ts';
import { describeEngines } from './fixtures/engines.ts';
import { useEngine } from './fixtures/use-engine.ts';

const dayMs = 24 * 60 * 60 * 1000;
const now = Date.parse('2026-11-24T12:00:00.000Z');
const daysAgo = (days: number) => new Date(now - days * dayMs).toISOString();

describeEngines('$name: old records', ({ open }) => {
  /**
   * Adds audit entries and downloads. The keys of `counts` are their ages in days, and the values
   * are how many to add.
   */
  async function useRecords(counts: Readonly<Record<number, number>>) {
    const engine = await useEngine(open);
    const ages = Object.entries(counts).flatMap(([days, count]) =>
      Array<number>(count).fill(Number(days)),
    );
    await engine.write(async (trx) => {
      for (const days of ages) {
        const at = daysAgo(days);
        const entry = { at, actor_kind: 'system', action: 'x', target: `${days}` } as const;
        await trx.insertInto('audit').values(entry).execute();
        const event = { area: 'games', name: `${days}.zip`, bytes: 7, created_at: at };
        await trx.insertInto('download_event').values(event).execute();
      }
    });
    const sql = new SqlOldRecordRemovals({ engine });
    const removed: [what: string, count: number][] = [];
    const removals: OldRecordRemovals = {
      async removeAudit(before, max) {
        const count = await sql.removeAudit(before, max);
        removed.push(['audit', count]);
        return count;
      },
      async removeDownloads(before, max) {
        const count = await sql.removeDownloads(before, max);
        removed.push(['downloads', count]);
        return count;
      },
    };
    const failures: unknown[] = [];
    const records = new SqlLeaseRecords({ engine, isDead: () => false });
    let holders = 0;
    const newHolder = () => `holder ${++holders}`;
    const leases = new Leases({ records, newHolder, clock: systemClock });
    const make = (retention: RetentionPeriods) => {
      const old = new OldRecordSweeper({
        removals,
        retention,
        leases,
        clock: { ...systemClock, now: () => now },
        onFailure: (error) => failures.push(error),
      });
      onTestFinished(() => old.close());
      return old;
    };
    const deferredWrites = new DeferredWrites(engine, () => undefined);
    const stats = new SqlStatsRecords({ engine, deferredWrites });
    const left = async () => {
      const audit = await engine.read.selectFrom('audit').select('target').orderBy('id').execute();
      const { downloads, recent } = await stats.stats();
      const days = await stats.downloadDays('');
      return {
        audit: audit.map(({ target }) => target),
        downloads,
        events: recent.map(({ name }) => name),
        days: days.map(({ count, bytes }) => [count, bytes]),
      };
    };
    return { engine, make, left, leases, removed, failures };
  }

  test('are removed only beyond the age limit, and removed downloads stay counted', async () => {
    const { make, left, failures } = await useRecords({ 31: 2, 30: 1, 0: 1 });
    const days = [
      [2, 14],
      [1, 7],
      [1, 7],
    ];
    await make({ audit: 30 * dayMs, downloads: null }).remove();
    expect(await left()).toEqual({
      audit: ['0', '30'],
      downloads: 4,
      events: ['31.zip', '31.zip', '30.zip', '0.zip'],
      days,
    });
    await make({ audit: null, downloads: 30 * dayMs }).remove();
    expect(await left()).toEqual({
      audit: ['0', '30'],
      downloads: 4,
      events: ['30.zip', '0.zip'],
      days,
    });
    expect(failures).toEqual([]);
  });

  test('are removed in transactions of 500 rows', async () => {
    const { make, removed, left } = await useRecords({ 9: 1_100, 1: 1 });
    await make({ audit: dayMs * 2, downloads: dayMs * 2 }).remove();
    expect(removed).toEqual([
      ...[500, 500, 100].map((count) => ['audit', count]),
      ...[500, 500, 100].map((count) => ['downloads', count]),
    ]);
    expect(await left()).toMatchObject({ audit: ['1'], downloads: 1_101, events: ['1.zip'] });
  });

  test('are kept without an age limit, and while another process removes old records', async () => {
    const { make, leases, left, removed } = await useRecords({ 10000: 1 });
    make({ audit: null, downloads: null }).begin();
    await make({ audit: null, downloads: null }).remove();
    const held = await leases.tryRun('old records', () =>
      make({ audit: 1, downloads: 1 }).remove(),
    );
    expect(held).not.toBeNull();
    expect(removed).toEqual([]);
    expect(await left()).toMatchObject({ audit: ['10000'], events: ['10000.zip'] });
  });
});
