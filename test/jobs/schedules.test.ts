import { describe, expect, test } from 'vitest';
import { scheduledJobKinds } from '../../src/core/jobs/job-kind.ts';
import { nextDue } from '../../src/core/jobs/next-due.ts';
import type { JobRequest } from '../../src/core/jobs/ports.ts';
import { Schedules } from '../../src/core/jobs/schedules.ts';
import type { Clock } from '../../src/core/shared/clock.ts';
import { SqlScheduleRecords } from '../../src/sql/jobs/schedule-records.ts';
import { testEngines } from '../contract/fixtures/engines.ts';
import { useEngine } from '../contract/fixtures/use-engine.ts';

const actor = { kind: 'system' } as const;
/** Returns a time on a Wednesday in the time zone of this machine. */
const at = (text: string) => new Date(`2026-11-25T${text}:00`).getTime();
const day = 24 * 60 * 60_000;

describe('the scheduler', () => {
  testEngines('$name: starts the job of a due schedule once, as the system', async ({ open }) => {
    const { clock, schedules, started, another } = await useSchedules(open);
    expect((await schedules.list()).map(({ kind, isOn }) => [kind, isOn])).toEqual(
      scheduledJobKinds.map((kind) => [kind, false]),
    );
    await schedules.change('scan', { isOn: true, time: '03:00' }, actor);
    expect((await schedules.get('scan')).nextAt).toBe(new Date(at('03:00')).toISOString());

    clock.set(at('02:59'));
    await schedules.startDue();
    expect(started).toEqual([]);
    clock.set(at('03:00'));
    await schedules.startDue();
    await schedules.startDue();
    // Another server on the same data folder finds that the job was already started.
    await another.startDue();
    expect(started).toEqual([{ kind: 'scan', options: {}, actor: { kind: 'system' } }]);
    expect((await schedules.get('scan')).nextAt).toBe(new Date(at('03:00') + day).toISOString());

    // The clock jumps forward by days. The job starts once, not once per day.
    clock.set(at('12:00') + 3 * day);
    await schedules.startDue();
    await another.startDue();
    expect(started).toHaveLength(2);
  });

  testEngines('$name: does not start a job that runs on other hosts', async ({ open }) => {
    const { clock, schedules, started, others } = await useSchedules(open);
    await schedules.change('scan', { isOn: true, time: '03:00' }, actor);
    others.add('scan');
    clock.set(at('03:00'));
    await schedules.startDue();
    expect(started).toEqual([]);
    others.delete('scan');
    clock.set(at('03:00') + day);
    await schedules.startDue();
    expect(started).toHaveLength(1);
  });

  testEngines('$name: starts a job only once when the clock is set back', async ({ open }) => {
    const { clock, schedules, started } = await useSchedules(open);
    await schedules.change('scan', { isOn: true, time: '03:00' }, actor);
    clock.set(at('03:10'));
    await schedules.startDue();
    expect(started).toHaveLength(1);
    clock.set(at('02:50'));
    await schedules.startDue();
    clock.set(at('03:10'));
    await schedules.startDue();
    expect(started).toHaveLength(1);

    // A clock that was far ahead must not prevent the job from starting again.
    clock.set(at('03:10') + 4000 * day);
    await schedules.startDue();
    expect(started).toHaveLength(2);
    clock.set(at('02:00') + day);
    await schedules.startDue();
    expect(started).toHaveLength(2);
    clock.set(at('03:10') + day);
    await schedules.startDue();
    expect(started).toHaveLength(3);
  });

  testEngines('$name: does not make up for times missed while no server ran', async ({ open }) => {
    const { clock, schedules, started, again } = await useSchedules(open);
    await schedules.change('covers-fetch', { isOn: true, weekday: 3, time: '03:00' }, actor);
    clock.set(at('09:00'));
    const later = again();
    await later.startDue();
    expect(started).toEqual([]);
    clock.set(at('03:00') + 6 * day);
    await later.startDue();
    expect(started).toEqual([]);
    clock.set(at('03:00') + 7 * day);
    await later.startDue();
    expect(started).toHaveLength(1);
  });

  testEngines(
    '$name: does not start a job at a time before its change, or whose schedule is off',
    async ({ open }) => {
      const { clock, schedules, started } = await useSchedules(open);
      clock.set(at('03:05'));
      await schedules.change('scan', { isOn: true, time: '03:04' }, actor);
      await schedules.startDue();
      await schedules.change('scan', { isOn: false }, actor);
      clock.set(at('03:05') + day);
      await schedules.startDue();
      expect(started).toEqual([]);
      await expect(schedules.change('import', { isOn: true }, actor)).rejects.toThrow('not found');
    },
  );

  testEngines(
    '$name: shows the default of a schedule that is not stored, and stores its changes',
    async ({ open }) => {
      const { engine, clock, schedules, started } = await useSchedules(open);
      await engine.write((trx) => trx.deleteFrom('schedule').execute());
      const kind = 'covers-fetch';
      const off = { kind, isOn: false, weekday: null, time: '03:00', nextAt: null };
      expect(await schedules.get(kind)).toEqual(off);
      await schedules.change(kind, { isOn: true }, actor);
      await schedules.change(kind, { time: '04:00' }, actor);
      expect(await schedules.get(kind)).toMatchObject({ isOn: true, weekday: null, time: '04:00' });
      clock.set(at('04:00'));
      await schedules.startDue();
      expect(started).toEqual([{ kind, options: {}, actor }]);
    },
  );

  testEngines('$name: ignores a stored schedule of an unknown kind', async ({ open }) => {
    const { engine, clock, schedules, started } = await useSchedules(open);
    const row = { kind: 'other', is_on: true, weekday: null, time: '03:00', counts_after: '' };
    await engine.write((trx) => trx.insertInto('schedule').values(row).execute());
    expect((await schedules.list()).map(({ kind }) => kind)).toEqual(scheduledJobKinds);
    clock.set(at('03:00'));
    await schedules.startDue();
    expect(started).toEqual([]);
  });

  test('calculates the next time across the changes to and from daylight saving time', () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Europe/Berlin';
    try {
      const next = (weekday: number | null, time: string, after: string) =>
        new Date(nextDue({ weekday, time }, Date.parse(after))).toISOString();
      // On 2026-03-29, the clock jumps from 02:00 to 03:00.
      expect(next(null, '02:30', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
      // On 2026-10-25, the clock jumps back from 03:00 to 02:00. 02:30 occurs twice, but counts
      // once.
      expect(next(null, '02:30', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
      expect(next(null, '02:30', '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z');
      // Two starts for a schedule on Sundays: one after the time on a Sunday, and one before it.
      expect(next(0, '03:00', '2026-11-22T02:00:00Z')).toBe('2026-11-29T02:00:00.000Z');
      expect(next(0, '03:00', '2026-11-22T01:59:59Z')).toBe('2026-11-22T02:00:00.000Z');
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
});

async function useSchedules(open: Parameters<typeof useEngine>[0]) {
  const engine = await useEngine(open);
  const clock = movedClock(at('00:00'));
  const started: JobRequest[] = [];
  const jobs = { start: async (request: JobRequest) => started.push(request) };
  const others = new Set<string>();
  const again = () =>
    new Schedules({
      records: new SqlScheduleRecords({ engine, clock }),
      jobs,
      clock,
      isOnOtherHosts: async (kind) => others.has(kind),
      onFailure: (_kind, error) => {
        throw error;
      },
    });
  return { engine, clock, started, others, schedules: again(), another: again(), again };
}

function movedClock(start: number): Clock & { set(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    timestamp: () => new Date(now).toISOString(),
    monotonic: () => now,
    set(ms) {
      now = ms;
    },
  };
}
