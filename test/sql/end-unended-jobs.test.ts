import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JobState } from '../../src/core/jobs/job.ts';
import { endUnendedJobs } from '../../src/sql/copies/end-unended-jobs.ts';
import { openDatabase } from '../../src/sql/engine/open.ts';
import { restoreDatabase } from './dump.ts';
import { readFixture } from './fixtures.ts';

let file: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-unended-'));
  file = join(folder, 'catalog.db');
  return () => rm(folder, { recursive: true, force: true });
});

/**
 * Replaces all jobs of the database with one job in each of the states, and returns the jobs after
 * `endUnendedJobs`.
 */
async function statesAfterEnd(states: readonly JobState[]) {
  const engine = await openDatabase(file);
  const at = '2026-11-01T00:00:00.000Z';
  await engine.write(async (trx) => {
    await trx.deleteFrom('job').execute();
    for (const [index, state] of states.entries()) {
      const job = { id: index + 1, kind: 'verify', actor: '{}', options: '{}', state };
      const times = { started_at: at, heartbeat_at: at, due_at: state === 'queued' ? 1 : null };
      await trx
        .insertInto('job')
        .values({ ...job, ...times, owner: 'gone', stopping: false, attempt: 1, attempts: 3 })
        .execute();
    }
  });
  await engine.close();
  await endUnendedJobs(file);
  const ended = await openDatabase(file);
  const columns = ['state', 'due_at', 'report'] as const;
  const rows = await ended.read.selectFrom('job').select(columns).orderBy('id').execute();
  await ended.close();
  return rows;
}

describe('endUnendedJobs', () => {
  test('ends queued and running jobs with a reason, and leaves ended jobs unchanged', async () => {
    const report = expect.stringContaining('was restored from a backup');
    expect(await statesAfterEnd(['running', 'queued', 'done', 'stopped'])).toEqual([
      { state: 'interrupted', due_at: null, report },
      { state: 'interrupted', due_at: null, report },
      { state: 'done', due_at: null, report: null },
      { state: 'stopped', due_at: null, report: null },
    ]);
  });

  test('does not change a database of a version that could not continue jobs', async () => {
    restoreDatabase(file, readFixture(34));
    const before = await readFile(file);
    await endUnendedJobs(file);
    expect((await readFile(file)).equals(before)).toBe(true);
  });
});
