import { expect, test } from 'vitest';
import type { JobProgress } from '../../src/core/jobs/job.ts';
import type { Judge } from '../../src/core/jobs/ports.ts';
import type { NewestPage } from '../../src/core/shared/newest-page.ts';
import type { Actor } from '../../src/core/shared/requests/actor.ts';
import { SqlJobRecords } from '../../src/sql/jobs/job-records.ts';
import { describeEngines } from './fixtures/engines.ts';
import { stamp, steppingClock, useEngine } from './fixtures/use-engine.ts';

const actor: Actor = { kind: 'cli', username: "o'neil" };
const system: Actor = { kind: 'system' };
const once = { attempts: 1, host: '', yieldsToQueued: false };
const scan = { kind: 'scan', options: {}, actor, ...once };
const progressOf = (name: string): JobProgress => {
  return { phase: 'hash', done: 3, total: 9, unit: 'bytes', name };
};
const isAlive: Judge = async () => null;
const isDead: Judge = async () => ({ state: 'interrupted', reason: 'it died' });
const again = { state: 'queued', attempt: 2, pauseMs: 0, reason: 'it died' } as const;
const stopReason = 'it was stopped';

describeEngines('$name: the table of jobs', ({ open }) => {
  async function useJobs() {
    const engine = await useEngine(open);
    const records = new SqlJobRecords({ engine, clock: steppingClock() });
    const begin = async (kind: string, owner = 'me', dead = isAlive) => {
      const begun = await records.begin({ ...scan, kind }, owner, dead);
      return 'id' in begun ? begun.id : null;
    };
    const rows = () => engine.read.selectFrom('job').selectAll().orderBy('id').execute();
    return { engine, records, begin, rows };
  }

  test('starts a job, records its progress and ends it with a report', async () => {
    const { engine, records, begin, rows } = await useJobs();
    const id = (await begin('scan', '大神.1.x')) ?? 0;
    const begun = {
      id,
      kind: 'scan',
      owner: '大神.1.x',
      actor: JSON.stringify(actor),
      options: '{}',
      started_at: stamp(0),
      attempt: 1,
      attempts: 1,
      run: 1,
      host: '',
      due_at: null,
      step: null,
    };
    const unended = { state: 'running', stopping: false, finished_at: null, report: null };
    const running = { ...begun, ...unended };
    expect(await rows()).toEqual([{ ...running, heartbeat_at: stamp(0), progress: null }]);
    expect(await records.heartbeat(id, '大神.1.x', { progress: progressOf('🎮') })).toEqual({
      isStopping: false,
    });
    const progress = JSON.stringify(progressOf('🎮'));
    expect(await rows()).toEqual([{ ...running, heartbeat_at: stamp(1), progress }]);
    await records.finish(id, 'done', { files: 4 });
    const ended = { state: 'done', finished_at: stamp(2), report: '{"files":4}' };
    expect(await rows()).toEqual([{ ...running, ...ended, heartbeat_at: stamp(1), progress }]);
    const audit = engine.read.selectFrom('audit').select(['action', 'target', 'username', 'at']);
    expect(await audit.execute()).toEqual([
      { action: 'scan.start', target: `job/${id}`, username: "o'neil", at: stamp(0) },
    ]);
  });

  test('runs one job of a kind at a time, and returns that job to later callers', async () => {
    const { records, begin } = await useJobs();
    const id = (await begin('scan')) ?? 0;
    expect(await records.begin({ ...scan, actor: system }, 'other', isAlive)).toEqual({
      running: {
        id,
        kind: 'scan',
        state: 'running',
        actor,
        startedAt: stamp(0),
        owner: 'me',
        heartbeatAt: stamp(0),
        finishedAt: null,
        isStopping: false,
        reason: null,
        progress: null,
        attempt: 1,
        attempts: 1,
        run: 1,
        host: '',
        setId: null,
      },
    });
    expect(await begin('import')).not.toBeNull();
    await records.finish(id, 'failed', null);
    expect(await begin('scan')).toBeGreaterThan(id);
  });

  test('starts one job when many callers try at once', async () => {
    const { begin, rows } = await useJobs();
    const begun = await Promise.all(Array.from({ length: 10 }, (_, i) => begin('scan', `${i}`)));
    expect(begun.filter((id) => id !== null)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  test('starts one of several mutually exclusive jobs for concurrent callers', async () => {
    const { records, rows } = await useJobs();
    const kinds = ['import', 'fetch-catalogue'];
    const excludes = (kind = '') => kinds.filter((other) => other !== kind);
    for (let round = 1; round <= 5; round += 1) {
      const begun = await Promise.all(
        Array.from({ length: 8 }, (_, i) => {
          const kind = kinds[i % 2] ?? '';
          const request = { ...scan, kind, excludedBy: excludes(kind) };
          return records.begin(request, `${i}`, isAlive);
        }),
      );
      const ids = begun.flatMap((one) => ('id' in one ? [one.id] : []));
      expect(ids).toHaveLength(1);
      expect(await rows()).toHaveLength(round);
      await records.finish(ids[0] ?? 0, 'done', {});
    }
  });

  test('begins one attempt of several mutually exclusive jobs that are queued', async () => {
    const { engine, records } = await useJobs();
    const kinds = ['import', 'fetch-catalogue'];
    for (const kind of kinds) {
      const begun = await records.begin({ ...scan, kind }, 'dead', isAlive);
      if ('id' in begun) await records.endAttempt(begun, () => again);
    }
    const excludedBy = (kind: string) => kinds.filter((other) => other !== kind);
    for (let round = 1; round <= 5; round += 1) {
      await engine.write((trx) =>
        trx.updateTable('job').set({ state: 'queued', due_at: 0 }).execute(),
      );
      const begun = await Promise.all(
        Array.from({ length: 8 }, (_, i) => records.beginNext(`${i}`, '', excludedBy)),
      );
      expect(begun.filter((job) => job !== null)).toHaveLength(1);
    }
  });

  test('marks a dead job as interrupted and lets only one job replace it', async () => {
    const { records, begin, rows } = await useJobs();
    const dead = (await begin('scan', 'dead')) ?? 0;
    const onlyTheDead: Judge = async (job) => (job.owner === 'dead' ? isDead(job) : null);
    const begun = await Promise.all(
      Array.from({ length: 5 }, (_, i) => records.begin(scan, `${i}`, onlyTheDead)),
    );
    expect(begun.filter((each) => 'id' in each)).toHaveLength(1);
    expect((await rows()).map(({ state }) => state)).toEqual(['interrupted', 'running']);
    // A job that was considered dead must not become active again.
    expect(await records.heartbeat(dead, 'dead', { progress: progressOf('nine') })).toBeNull();
    expect(await records.finish(dead, 'done', { files: 9 })).toBe(false);
    expect((await rows())[0]).toMatchObject({
      state: 'interrupted',
      progress: null,
      report: '{"error":"it died"}',
    });
    expect((await rows())[0]?.finished_at).not.toBeNull();
    expect(await begin('scan', 'next', isDead)).not.toBeNull();
  });

  test('reports a stop at the next heartbeat, audits it once and ignores ended jobs', async () => {
    const { engine, records, begin } = await useJobs();
    const id = (await begin('scan')) ?? 0;
    const other = (await begin('import')) ?? 0;
    await records.requestStop(id, system, stopReason);
    await records.requestStop(id, actor, stopReason);
    expect(await records.heartbeat(id, 'me', { progress: null })).toEqual({ isStopping: true });
    expect(await records.heartbeat(other, 'me', { progress: null })).toEqual({ isStopping: false });
    await records.finish(other, 'done', {});
    await records.requestStop(other, actor, stopReason);
    await records.requestStop(99, actor, stopReason);
    expect(await records.find(id)).toMatchObject({ isStopping: true, state: 'running' });
    expect(await records.find(other)).toMatchObject({ isStopping: false, state: 'done' });
    const audit = engine.read.selectFrom('audit').select(['action', 'target', 'actor_kind']);
    expect(await audit.where('action', 'like', '%.stop').execute()).toEqual([
      { action: 'scan.stop', target: `job/${id}`, actor_kind: 'system' },
    ]);
  });

  test('lets another process adopt a running job and returns its options and report', async () => {
    const { engine, records } = await useJobs();
    const options = { hash: false, roots: ['大'] };
    const begun = await records.begin({ ...scan, options }, 'server', isAlive);
    const id = 'id' in begun ? begun.id : 0;
    expect(await records.adopt({ id, run: 1 }, 'child')).toMatchObject({
      id,
      owner: 'child',
      options,
      actor,
    });
    expect(await records.heartbeat(id, 'server', { progress: progressOf('nine') })).toBeNull();
    expect(await records.finish(id, 'done', { files: 9 }, 'server')).toBe(false);
    expect(await records.finish(id, 'done', { files: 1 }, 'child')).toBe(true);
    expect(await records.adopt({ id, run: 1 }, 'late')).toBeNull();
    expect(await records.adopt({ id: 99, run: 1 }, 'late')).toBeNull();
    expect(await records.find(id)).toMatchObject({ owner: 'child', report: { files: 1 } });
    const details = engine.read.selectFrom('audit').select('detail').execute();
    expect(await details).toEqual([{ detail: JSON.stringify(options) }]);
  });

  test('lists jobs by state and kind in pages, newest first, dead as interrupted', async () => {
    const { records, begin } = await useJobs();
    const all = { state: '', kind: '' };
    const page = { limit: 50, before: null };
    const ids = async (filter: Partial<typeof all>, part: Partial<NewestPage> = {}) =>
      (await records.list({ ...all, ...filter }, { ...page, ...part })).map(({ id }) => id);
    for (let i = 0; i < 3; i += 1) await records.finish((await begin('scan')) ?? 0, 'done', null);
    await begin('import', 'dead');
    await begin('scan');
    expect(await ids({})).toEqual([5, 4, 3, 2, 1]);
    expect(await ids({}, { limit: 2, before: 4 })).toEqual([3, 2]);
    expect(await ids({ kind: 'scan' })).toEqual([5, 3, 2, 1]);
    expect(await ids({ state: 'running' })).toEqual([5, 4]);
    expect(await ids({ state: 'done', kind: 'scan' }, { limit: 1 })).toEqual([3]);
    await records.reconcile(async (job) => (job.owner === 'dead' ? isDead(job) : null));
    expect(await ids({ state: 'running' })).toEqual([5]);
    expect(await ids({ state: 'interrupted' })).toEqual([4]);
  });

  test('ignores heartbeats and results of unknown jobs', async () => {
    const { records, rows } = await useJobs();
    expect(await records.heartbeat(7, 'me', { progress: null })).toBeNull();
    expect(await records.finish(7, 'done', null)).toBe(false);
    expect(await rows()).toEqual([]);
  });
});
