import { expect, test } from 'vitest';
import { Jobs, type JobWork } from '../../src/core/jobs/jobs.ts';
import { Interrupted } from '../../src/core/jobs/stop-reasons.ts';
import { busy } from '../../src/core/shared/errors.ts';
import { SqlJobRecords } from '../../src/sql/jobs/job-records.ts';
import { describeEngines } from './fixtures/engines.ts';
import { steppingClock, useEngine } from './fixtures/use-engine.ts';

const actor = { kind: 'system' } as const;
const verify = { kind: 'verify', options: {}, actor };
const thrice = { attempts: 3, host: '', yieldsToQueued: true };
const died = { reason: 'its process ended by SIGKILL', wasStoppedByServer: false };
const wasStoppedByServer = { reason: 'its server stopped', wasStoppedByServer: true };
const never = new AbortController().signal;

describeEngines('$name: attempts of a job', ({ open }) => {
  async function useJobs() {
    const engine = await useEngine(open);
    const clock = steppingClock();
    const records = new SqlJobRecords({ engine, clock });
    const dead = new Set<string>();
    const jobsOf = (owner: string, host = '') =>
      new Jobs({
        records,
        clock,
        owner,
        ownerState: async (of) => (dead.has(of) ? 'ended' : 'alive'),
        host,
      });
    const first = jobsOf('first');
    return {
      engine,
      clock,
      records,
      dead,
      jobsOf,
      first,
      begin: async (attempts = thrice) => {
        const begun = await first.begin(verify, attempts);
        if ('running' in begun) throw new Error('another job is running');
        return begun;
      },
      /** Ends the pause before the next attempt. */
      endPause: () => engine.write((trx) => trx.updateTable('job').set({ due_at: 0 }).execute()),
    };
  }

  test('follow one another under the same job ID until the job is done', async () => {
    const { first, jobsOf, dead, begin, endPause } = await useJobs();
    const { id } = await begin();
    dead.add('first');
    const second = jobsOf('second');
    const started = await second.get(id);
    expect(started).toMatchObject({ state: 'queued', attempt: 2, attempts: 3, finishedAt: null });
    expect(started.report).toEqual({ error: 'its process died or stood still' });
    expect(await second.beginNext()).toBeNull(); // the pause lasts
    await endPause();
    const next = await second.beginNext();
    expect(next).toMatchObject({ id, state: 'running', attempt: 2, owner: 'second', run: 2 });
    expect(next?.startedAt).toBe(started.startedAt);
    await second.runOwned({ id, attempts: 3, step: null }, never, async () => ({ files: 4 }));
    expect(await first.get(id)).toMatchObject({
      state: 'done',
      attempt: 2,
      isStopping: false,
      report: { files: 4 },
    });
  });

  test('are each begun by only one of many processes', async () => {
    const { jobsOf, first, begin, endPause } = await useJobs();
    await first.endRun(await begin(), died);
    await endPause();
    const others = Array.from({ length: 8 }, (_, at) => jobsOf(`other ${at}`));
    const begun = await Promise.all(others.map((jobs) => jobs.beginNext()));
    expect(begun.filter((job) => job !== null)).toMatchObject([{ attempt: 2, run: 2 }]);
  });

  test('wait until no job of a kind that excludes theirs is running', async () => {
    const { records, first, jobsOf, endPause } = await useJobs();
    const second = jobsOf('second');
    const fetch = { kind: 'fetch-catalogue', options: {}, actor };
    const fetching = await first.begin(fetch, thrice);
    if ('running' in fetching) throw new Error('another job is running');
    await first.endRun(fetching, died);
    await endPause();
    // A command does not wait for the next attempt of another job.
    const importing = await first.begin({ kind: 'import', options: {}, actor });
    if ('running' in importing) throw new Error('another job is running');
    expect(await second.beginNext()).toBeNull();
    expect(await first.get(fetching.id)).toMatchObject({ state: 'queued', attempt: 2 });
    await records.finish(importing.id, 'done', {});
    expect(await second.beginNext()).toMatchObject({ id: fetching.id, state: 'running' });
  });

  test('cannot be adopted or ended by the process of an earlier attempt', async () => {
    const { first, jobsOf, records, begin, endPause } = await useJobs();
    const run = await begin();
    await first.endRun(run, died);
    await endPause();
    const next = await jobsOf('second').beginNext();
    expect(await records.adopt(run, 'late')).toBeNull();
    expect(await first.endRun(run, died)).toBeNull();
    expect(await first.get(run.id)).toMatchObject({ state: 'running', owner: 'second', run: 2 });
    expect(await records.adopt({ id: run.id, run: next?.run ?? 0 }, 'child')).not.toBeNull();
  });

  test('end after their process died three times, and the job reports the reason', async () => {
    const { first, jobsOf, begin, endPause } = await useJobs();
    const { id } = await begin();
    for (const run of [1, 2, 3]) {
      await first.endRun({ id, run }, died);
      await endPause();
      await jobsOf('second').beginNext();
    }
    expect(await first.get(id)).toMatchObject({
      state: 'interrupted',
      attempt: 3,
      finishedAt: expect.any(String),
      report: { error: 'its process ended by SIGKILL; this was attempt 3 of 3' },
    });
  });

  test('are not used up when a server stops', async () => {
    const { first, jobsOf, begin } = await useJobs();
    const { id } = await begin();
    for (const run of [1, 2, 3, 4]) {
      await first.endRun({ id, run }, wasStoppedByServer);
      expect(await jobsOf('second').beginNext()).toMatchObject({ attempt: 1, run: run + 1 });
    }
  });

  test('are not repeated if the job is stopped before or after its process died', async () => {
    const { first, jobsOf, begin, endPause } = await useJobs();
    const before = await begin();
    await first.stop(before.id, actor);
    await first.endRun(before, died);
    const after = await begin();
    await first.endRun(after, died);
    await first.stop(after.id, actor);
    await endPause();
    expect(await jobsOf('second').beginNext()).toBeNull();
    const error = 'it was stopped, and its process ended by SIGKILL';
    expect(await first.get(before.id)).toMatchObject({ state: 'stopped', report: { error } });
    const report = { error: 'it was stopped' };
    expect(await first.get(after.id)).toMatchObject({ state: 'stopped', report });
  });

  test('run only on the host of the job, and end after an hour without that host', async () => {
    const { first, jobsOf, clock, begin, endPause } = await useJobs();
    const run = await begin({ ...thrice, host: 'attic' });
    await first.endRun(run, died);
    await endPause();
    expect(await jobsOf('second', 'cellar').beginNext()).toBeNull();
    for (let second = 0; second < 3_601; second += 1) clock.timestamp();
    const job = await jobsOf('second', 'cellar').get(run.id);
    const error = 'it can only go on at the host attic, which ran no server for an hour';
    expect(job).toMatchObject({ state: 'interrupted', report: { error } });
    const other = await begin({ ...thrice, host: 'attic' });
    await first.endRun(other, died);
    await endPause();
    expect(await jobsOf('third', 'attic').beginNext()).toMatchObject({ id: other.id });
  });

  test('prevent another start while they wait, but not the run of a command', async () => {
    const { first, jobsOf, begin, endPause } = await useJobs();
    const run = await begin();
    await first.endRun(run, died);
    await endPause();
    expect(await first.begin(verify, thrice)).toMatchObject({ running: { id: run.id } });
    await first.run(verify, never, async () => {
      expect(await jobsOf('second').beginNext()).toBeNull();
    });
    expect(await jobsOf('second').beginNext()).toMatchObject({ id: run.id });
  });

  test('are limited to one for the job of a command, which then reports why it ended', async () => {
    const { jobsOf, dead, begin } = await useJobs();
    const { id } = await begin({ ...thrice, attempts: 1 });
    dead.add('first');
    expect(await jobsOf('second').get(id)).toMatchObject({
      state: 'interrupted',
      report: { error: 'its process died or stood still' },
    });
  });

  test('continue from the stored step after a server stopped', async () => {
    const { first, jobsOf, begin } = await useJobs();
    const { id } = await begin();
    const interruption = new AbortController();
    const work: JobWork<object> = async ({ keepStep, signal }) => {
      await keepStep({ files: ['大'] }, { atOnce: true });
      interruption.abort(new Interrupted({ wasStoppedByServer: true }));
      signal.throwIfAborted();
      return {};
    };
    const job = { id, attempts: 3, step: null };
    await expect(first.runOwned(job, interruption.signal, work)).rejects.toBeInstanceOf(
      Interrupted,
    );
    const second = jobsOf('second');
    const next = await second.beginNext();
    const adopted = await second.adopt({ id, run: next?.run ?? 0 });
    expect(adopted).toMatchObject({ step: { files: ['大'] }, attempt: 1 });
  });

  test('run again from the last step if the database was busy', async () => {
    const { first, begin } = await useJobs();
    const { id } = await begin();
    const steps: unknown[] = [];
    await first.runOwned({ id, attempts: 3, step: null }, never, async ({ step, keepStep }) => {
      steps.push(step);
      await keepStep('one');
      if (steps.length === 1) throw busy();
      return {};
    });
    expect(steps).toEqual([null, 'one']);
    expect(await first.get(id)).toMatchObject({ state: 'done', attempt: 1 });
  });
});
