import { once } from 'node:events';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { Jobs, type RunningJob } from '../../../src/core/jobs/jobs.ts';
import { LeaseLost, withoutLease } from '../../../src/core/shared/processes/job-lease.ts';
import { Leases } from '../../../src/core/shared/processes/leases.ts';
import type { Database as Tables } from '../../../src/sql/engine/engine.ts';
import { SqlJobRecords } from '../../../src/sql/jobs/job-records.ts';
import { SqlLeaseRecords } from '../../../src/sql/jobs/lease-records.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { steppingClock, useEngine } from '../fixtures/use-engine.ts';

const scan = { kind: 'scan', options: {}, actor: { kind: 'system' } } as const;
const never = new AbortController().signal;
const yes = async () => true;
const oneAttempt = { attempts: 1, host: '', yieldsToQueued: false };
/** The judgement that a job's process is dead. */
const asDead = async () => ({ state: 'interrupted', reason: 'it died' }) as const;

describeEngines('$name: the lease of a job', ({ open, isFile }) => {
  async function useJobs() {
    const engine = await useEngine(open);
    const clock = steppingClock();
    const records = new SqlJobRecords({ engine, clock });
    const jobsOf = (owner: string) =>
      new Jobs({ records, clock, owner, ownerState: async () => 'alive', host: '' });
    const add = (trx: Tables, name: string) =>
      trx.insertInto('platform').values({ key: name, name }).execute();
    const leases = new Leases({
      records: new SqlLeaseRecords({ engine, isDead: () => false }),
      newHolder: () => 'holder',
      clock,
    });
    return {
      engine,
      records,
      leases,
      add,
      write: (name: string) => engine.write((trx) => add(trx, name)),
      /** Runs `work` as a process that stalls and then continues. */
      run: (work: (job: RunningJob) => Promise<unknown>) => jobsOf('first').run(scan, never, work),
      /** Takes the job over as another process, for which the first process is dead. */
      takeOver: async () => {
        const begun = await withoutLease(() =>
          records.begin({ ...scan, ...oneAttempt }, 'second', asDead),
        );
        return 'id' in begun ? begun.id : 0;
      },
      runSecond: (id: number, work: () => Promise<unknown>) =>
        jobsOf('second').runOwned({ id, attempts: 1, step: null }, never, work),
      written: async () => {
        const rows = await engine.read
          .selectFrom('platform')
          .select('name')
          .orderBy('id')
          .execute();
        return rows.map(({ name }) => name);
      },
      states: async () => {
        const rows = await engine.read
          .selectFrom('job')
          .select(['state', 'report'])
          .orderBy('id')
          .execute();
        return rows;
      },
    };
  }

  test('is checked by each write, so that a job that lost it stores nothing more', async () => {
    const { run, write, takeOver, runSecond, written, states } = await useJobs();
    let second = 0;
    const tried: unknown[] = [];
    const first = run(async ({ signal }) => {
      await write('before');
      second = await takeOver();
      const failed = await write('after').catch((error: unknown) => error);
      tried.push(failed, signal.aborted && signal.reason);
      // The work treats the lost lease as the failure of one item and continues. Its further writes
      // must also fail.
      tried.push(await write('once more').catch((error: unknown) => error));
      return 'as if it were done';
    });
    await expect(first).rejects.toBeInstanceOf(LeaseLost);
    expect(tried).toEqual([expect.any(LeaseLost), expect.any(LeaseLost), expect.any(LeaseLost)]);
    expect(await written()).toEqual(['before']);
    await runSecond(second, async () => void (await write('second')));
    expect(await written()).toEqual(['before', 'second']);
    expect(await states()).toMatchObject([
      { state: 'interrupted', report: '{"error":"it died"}' },
      { state: 'done' },
    ]);
  });

  test('is lost when another owner adopts the same job', async () => {
    const { run, write, records, written } = await useJobs();
    const lost = run(async ({ id }) => {
      await withoutLease(() => records.adopt({ id, run: 1 }, 'other'));
      await write('after');
    });
    await expect(lost).rejects.toBeInstanceOf(LeaseLost);
    expect(await written()).toEqual([]);
  });

  test('is found to be lost by a heartbeat when nothing is written', async () => {
    const { run, takeOver, states } = await useJobs();
    const lost = run(async ({ signal }) => {
      await takeOver();
      // A heartbeat may have found the loss already.
      if (!signal.aborted) await once(signal, 'abort');
      throw new Error('ended by its signal');
    });
    await expect(lost).rejects.toBeInstanceOf(LeaseLost);
    expect(await states()).toMatchObject([
      { state: 'interrupted', report: '{"error":"it died"}' },
      { state: 'running' },
    ]);
  });

  test('is not needed to release other leases that the work holds', async () => {
    const { run, takeOver, leases } = await useJobs();
    const lost = run(() => leases.run('cover 1', { waitMs: 0 }, takeOver));
    await expect(lost).rejects.toBeInstanceOf(LeaseLost);
    expect(await leases.tryRun('cover 1', yes)).toEqual({ result: true });
  });

  test.skipIf(isFile)(
    'rolls back a transaction during which it is lost (SQLite writes one at a time)',
    async () => {
      const { run, engine, add, takeOver, written } = await useJobs();
      const lost = run(() =>
        engine.write(async (trx) => {
          await add(trx, 'in the midst');
          await takeOver();
        }),
      );
      await expect(lost).rejects.toBeInstanceOf(LeaseLost);
      expect(await written()).toEqual([]);
    },
  );

  test.skipIf(isFile)(
    'allows heartbeats and stops during a transaction (SQLite writes one at a time)',
    async () => {
      const { run, engine, add, records, written } = await useJobs();
      await run(({ id }) =>
        engine.write(async (trx) => {
          await add(trx, 'long');
          await withoutLease(() => records.requestStop(id, scan.actor, 'it was stopped'));
          expect(await records.heartbeat(id, 'first', { progress: null })).toEqual({
            isStopping: true,
          });
        }),
      );
      expect(await written()).toEqual(['long']);
    },
  );

  // Reading the database without the event loop is possible only for a file.
  test.runIf(isFile)('is renewed even while the thread of the event loop is blocked', async () => {
    const { engine, records } = await useJobs();
    const begun = await records.begin({ ...scan, ...oneAttempt }, 'first', asDead);
    const other = new Database(engine.name);
    const stored = () => other.prepare('select heartbeat_at from job').pluck().get();
    const before = stored();
    other.exec('begin immediate');
    const heartbeat = records.heartbeat('id' in begun ? begun.id : 0, 'first', { progress: null });
    // Wait until the database's thread waits for the lock.
    await new Promise((resolve) => setTimeout(resolve, 50));
    other.exec('commit');
    const deadline = performance.now() + 10_000;
    while (stored() === before && performance.now() < deadline);
    expect(stored()).not.toBe(before);
    other.exec('begin immediate; rollback');
    other.close();
    expect(await heartbeat).toEqual({ isStopping: false });
  });
});
