import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Jobs } from '../../src/core/jobs/jobs.ts';
import { localBackupFolder } from '../../src/files/backups/backup-folder.ts';
import { SqlJobRecords } from '../../src/sql/jobs/job-records.ts';
import { testEngines } from '../contract/fixtures/engines.ts';
import { useEngine } from '../contract/fixtures/use-engine.ts';

const second = 1_000;
const day = 24 * 3_600 * second;
const scan = { kind: 'scan', options: {}, actor: { kind: 'system' } } as const;
const all = { state: '', kind: '' } as const;

describe('a server whose clock is set', () => {
  testEngines('$name: shows a live job as running', async ({ open }) => {
    for (const by of [-day, day, 3_650 * day]) {
      const { clock, jobs, begin, states } = await useJobs(open);
      const { id } = await begin();
      clock.pass(second);
      clock.set(by);
      expect(await states()).toEqual(['running']);
      expect(await jobs.begin(scan)).toMatchObject({ running: { id } });
      // The job is renewed with the changed clock. After that, it is not renewed again.
      clock.pass(second);
      await jobs.adopt({ id, run: 1 });
      clock.pass(29 * second);
      expect(await states()).toEqual(['running']);
      clock.pass(29 * second);
      expect(await states()).toEqual(['interrupted']);
    }
  });

  testEngines('$name: shows a job that died meanwhile as interrupted', async ({ open }) => {
    const { clock, jobs, begin, states } = await useJobs(open);
    await begin();
    clock.set(day);
    expect(await states()).toEqual(['running']);
    clock.pass(31 * second);
    expect(await states()).toEqual(['interrupted']);
    expect(await jobs.begin(scan)).toHaveProperty('id');
  });

  test('ignores backups dated in the future, and removes them first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-backups-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const backups = localBackupFolder(folder, '/data');
    const now = Date.UTC(2026, 10, 22);
    const write = async (ms: number) => {
      await writeFile(backups.fileAt(ms), '');
      return basename(backups.fileAt(ms));
    };
    await write(now + 3_650 * day);
    await write(now + 3_651 * day);
    expect(await backups.newest(now)).toBeNull();
    const first = await write(now - day);
    const newest = await write(now);
    expect(await backups.newest(now)).toBe(now);
    await backups.keepNewest(2, now);
    expect((await readdir(folder)).sort()).toEqual([first, newest]);
  });
});

async function useJobs(open: Parameters<typeof useEngine>[0]) {
  const engine = await useEngine(open);
  const clock = movedClock();
  const jobs = new Jobs({
    records: new SqlJobRecords({ engine, clock }),
    clock,
    owner: 'one',
    ownerState: async () => 'unknown',
    host: '',
  });
  return {
    clock,
    jobs,
    async begin() {
      const begun = await jobs.begin(scan);
      if (!('id' in begun)) throw new Error('another one runs');
      return begun;
    },
    states: async () => (await jobs.list(all, { limit: 9, before: null })).map((job) => job.state),
  };
}

function movedClock() {
  let wall = Date.UTC(2026, 10, 22);
  let monotonic = 0;
  return {
    now: () => wall,
    timestamp: () => new Date(wall).toISOString(),
    monotonic: () => monotonic,
    /** Advances both clocks by `ms` milliseconds. */
    pass(ms: number) {
      wall += ms;
      monotonic += ms;
    },
    set(by: number) {
      wall += by;
    },
  };
}
