import { describe, expect } from 'vitest';
import { Jobs } from '../../src/core/jobs/jobs.ts';
import { systemClock } from '../../src/core/shared/clock.ts';
import { refused } from '../../src/core/shared/errors.ts';
import { SqlJobRecords } from '../../src/sql/jobs/job-records.ts';
import { testEngines } from '../contract/fixtures/engines.ts';
import { useEngine } from '../contract/fixtures/use-engine.ts';

const actor = { kind: 'system' } as const;
const page = { limit: 10, before: null };

describe('the job records', () => {
  testEngines('$name: lists why jobs failed, in at most 500 characters', async ({ open }) => {
    const engine = await useEngine(open);
    const jobs = new Jobs({
      records: new SqlJobRecords({ engine, clock: systemClock }),
      clock: systemClock,
      owner: 'test',
      ownerState: async () => 'alive',
      host: '',
    });
    const run = (work: () => Promise<object>) =>
      jobs
        .run({ kind: 'verify', options: {}, actor }, new AbortController().signal, work)
        .catch(() => undefined);
    const reasons = async () =>
      (await jobs.list({ state: '', kind: '' }, page)).map(({ reason }) => reason);
    const fail = (reason: string) => run(() => Promise.reject(refused(reason)));

    await run(async () => ({ error: 'a field of a report' }));
    expect(await reasons()).toEqual([null]);
    await fail('short, "quoted"\n\\ and ü 🎮');
    expect(await reasons()).toEqual(['short, "quoted"\n\\ and ü 🎮', null]);
    const exact = `${'"\u0001🎮'.repeat(166)}ab`;
    await fail(exact);
    await fail(`${exact}c`);
    const [longer, whole] = await reasons();
    expect(whole).toBe(exact);
    expect([...(longer ?? '')]).toHaveLength(500);
    expect(longer).toBe(`${[...exact].slice(0, 499).join('')}…`);
    const [last] = await jobs.list({ state: '', kind: '' }, page);
    const job = await jobs.get(last?.id ?? 0);
    expect(job.report).toEqual({ error: `${exact}c` });
    expect(job.reason).toBe(longer);
  });
});
