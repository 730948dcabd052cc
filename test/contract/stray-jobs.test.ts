import { expect, test } from 'vitest';
import { BackgroundJobs } from '../../src/core/jobs/background-jobs.ts';
import { Jobs } from '../../src/core/jobs/jobs.ts';
import type { JobRun } from '../../src/core/jobs/ports.ts';
import { busy, busyOutcomeUnknown } from '../../src/core/shared/errors.ts';
import { SqlJobRecords } from '../../src/sql/jobs/job-records.ts';
import { describeEngines } from './fixtures/engines.ts';
import { steppingClock, useEngine } from './fixtures/use-engine.ts';

const actor = { kind: 'system' } as const;
const request = { kind: 'verify', options: {}, actor } as const;

describeEngines('$name: jobs that a running server owns but no process runs', ({ open }) => {
  /** `change` replaces methods of the records. */
  async function useServer(change: (records: SqlJobRecords) => Partial<SqlJobRecords>) {
    const clock = steppingClock();
    const engine = await useEngine(open);
    const records = new SqlJobRecords({ engine, clock });
    const ownerState = async () => 'alive' as const;
    const parts = { clock, owner: 'server', ownerState, host: '' };
    const faulty = Object.assign(new SqlJobRecords({ engine, clock }), change(records));
    const ends: PromiseWithResolvers<string>[] = [];
    const failures: unknown[] = [];
    const background = new BackgroundJobs({
      jobs: new Jobs({ ...parts, records: faulty }),
      processes: {
        run(_run: JobRun) {
          const end = Promise.withResolvers<string>();
          ends.push(end);
          return end.promise;
        },
        close: async () => undefined,
      },
      attemptsOf: async () => ({ attempts: 3, host: '', yieldsToQueued: true }),
      onFailure: (error) => void failures.push(error),
    });
    return { background, jobs: new Jobs({ ...parts, records }), ends, failures };
  }
  const reason = { error: 'the database was unreachable' };

  test('are queued again if the end of their process could not be recorded at first', async () => {
    let isDown = true;
    const { background, jobs, ends, failures } = await useServer((records) => ({
      endAttempt: async (...args) => {
        if (isDown) throw busy();
        return records.endAttempt(...args);
      },
    }));
    const id = await background.start(request);
    await background.check();
    expect(await jobs.get(id)).toMatchObject({ state: 'running', attempt: 1 });
    ends[0]?.resolve('its process ended');
    await expect.poll(() => failures).toHaveLength(1);
    expect(await jobs.get(id)).toMatchObject({ state: 'running', attempt: 1 });
    isDown = false;
    await background.check();
    expect(await jobs.get(id)).toMatchObject({ state: 'queued', attempt: 2, report: reason });
  });

  test('are queued again if it is unknown whether their start was recorded', async () => {
    const { background, jobs } = await useServer((records) => ({
      begin: async (...args) => {
        await records.begin(...args);
        throw busyOutcomeUnknown();
      },
    }));
    await expect(background.start(request)).rejects.toMatchObject({ kind: 'busy' });
    await background.check();
    const [job] = await jobs.list({ state: '', kind: '' }, { limit: 10, before: null });
    expect(job).toMatchObject({ kind: 'verify', state: 'queued', attempt: 2 });
  });
});
