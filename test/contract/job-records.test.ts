import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/core/shared/actor.ts';
import { SqlJobRecords } from '../../src/sql/jobs.ts';
import { engines } from './engines.ts';
import { stamp, steppingClock, useEngine } from './use-engine.ts';

const actor: Actor = { kind: 'cli', username: "o'neil" };
const system: Actor = { kind: 'system' };
const isAlive = () => false;
const isDead = () => true;

describe.each(engines)('$name: job records', ({ open }) => {
  async function useJobs() {
    const engine = await useEngine(open);
    const records = new SqlJobRecords({ engine, clock: steppingClock() });
    const begin = async (kind: string, owner = 'me', dead = isAlive) => {
      const begun = await records.begin(kind, owner, actor, dead);
      return 'id' in begun ? begun.id : null;
    };
    const rows = () => engine.read.selectFrom('job').selectAll().orderBy('id').execute();
    return { engine, records, begin, rows };
  }

  test('a job is begun, tells how far it is, and ends with a report', async () => {
    const { engine, records, begin, rows } = await useJobs();
    const id = (await begin('scan', '大神.1.x')) ?? 0;
    const begun = {
      id,
      kind: 'scan',
      owner: '大神.1.x',
      started_by: "o'neil",
      started_at: stamp(0),
    };
    const running = { ...begun, state: 'running', finished_at: null, report: null };
    expect(await rows()).toEqual([{ ...running, heartbeat_at: stamp(0), progress: null }]);
    await records.heartbeat(id, { files: 3, of: '🎮' });
    const progress = JSON.stringify({ files: 3, of: '🎮' });
    expect(await rows()).toEqual([{ ...running, heartbeat_at: stamp(1), progress }]);
    await records.finish(id, 'done', { files: 4 });
    const ended = { state: 'done', finished_at: stamp(2), report: '{"files":4}' };
    expect(await rows()).toEqual([{ ...running, ...ended, heartbeat_at: stamp(1), progress }]);
    const audit = engine.read.selectFrom('audit').select(['action', 'target', 'username', 'at']);
    expect(await audit.execute()).toEqual([
      { action: 'scan.start', target: `job/${id}`, username: "o'neil", at: stamp(0) },
    ]);
  });

  test('one of a kind runs at a time; whoever asks is told which', async () => {
    const { records, begin } = await useJobs();
    const id = (await begin('scan')) ?? 0;
    expect(await records.begin('scan', 'other', system, isAlive)).toEqual({
      running: {
        id,
        kind: 'scan',
        state: 'running',
        startedBy: "o'neil",
        startedAt: stamp(0),
        owner: 'me',
        heartbeatAt: stamp(0),
        finishedAt: null,
      },
    });
    expect(await begin('import')).not.toBeNull();
    await records.finish(id, 'failed', null);
    expect(await begin('scan')).toBeGreaterThan(id);
  });

  test('one begins of many that try at once', async () => {
    const { begin, rows } = await useJobs();
    const begun = await Promise.all(Array.from({ length: 10 }, (_, i) => begin('scan', `${i}`)));
    expect(begun.filter((id) => id !== null)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  test('a dead one is marked interrupted, and only one takes its place', async () => {
    const { records, begin, rows } = await useJobs();
    const dead = (await begin('scan', 'dead')) ?? 0;
    const onlyTheDead = ({ owner }: { owner: string }) => owner === 'dead';
    const begun = await Promise.all(
      Array.from({ length: 5 }, (_, i) => records.begin('scan', `${i}`, system, onlyTheDead)),
    );
    expect(begun.filter((each) => 'id' in each)).toHaveLength(1);
    expect((await rows()).map(({ state }) => state)).toEqual(['interrupted', 'running']);
    // What was taken for dead and goes on cannot bring itself back.
    await records.heartbeat(dead, { files: 9 });
    await records.finish(dead, 'done', { files: 9 });
    expect((await rows())[0]).toMatchObject({ state: 'interrupted', progress: null, report: null });
    expect((await rows())[0]?.finished_at).not.toBeNull();
    expect(await begin('scan', 'next', isDead)).not.toBeNull();
  });

  test('nothing happens to a job that nobody has', async () => {
    const { records, rows } = await useJobs();
    await records.heartbeat(7, null);
    await records.finish(7, 'done', null);
    expect(await rows()).toEqual([]);
  });
});
