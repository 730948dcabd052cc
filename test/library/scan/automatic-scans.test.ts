import { chmod, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Jobs } from '../../../src/core/jobs/jobs.ts';
import { AutomaticScans } from '../../../src/core/library/scan/automatic-scans.ts';
import { completeFileTest } from '../../../src/core/library/scan/growing-files.ts';
import { alreadyRunning } from '../../../src/core/shared/errors.ts';
import { SqlJobRecords } from '../../../src/sql/jobs/job-records.ts';
import { sqlAutomaticChecks } from '../../../src/sql/library/automatic-checks.ts';
import { game } from '../../imports/support/dat-text.ts';
import { leasesIn } from '../../support/data/leases.ts';
import { type LibraryFixture, useLibrary } from '../library-fixture.ts';

const minute = 60_000;
const start = Date.UTC(2026, 10, 25, 12);
const thrice = { attempts: 3, host: '', yieldsToQueued: true };

interface Fixture extends LibraryFixture {
  readonly scans: AutomaticScans;
  /** Returns the number of scans that were started. */
  readonly started: () => number;
  /** Returns the number of walks. */
  readonly walks: () => number;
  /** Opens the automatic scans of another process on the same host. */
  another(): AutomaticScans;
  /** Advances the clock, then runs the check. */
  after(ms: number): Promise<void>;
  /** Writes a file that was modified `age` milliseconds ago. */
  put(name: string, age: number, content?: string): Promise<string>;
  /** If true, every start fails, as if another scan were running. */
  isRunning: boolean;
  /** The state in which started scans end. They scan the library only if this is `done`. */
  end: 'done' | 'failed' | 'interrupted' | 'stopped';
  /** Called after each walk, before its result is used. */
  afterWalk: () => Promise<unknown>;
  /** Begins a job that changes the catalogue. Returns a function that ends it. */
  beginImport(kind: 'import' | 'fetch-catalogue'): Promise<() => Promise<unknown>>;
}

async function useAutomaticScans(): Promise<Fixture> {
  const library = await useLibrary();
  let now = start;
  let walks = 0;
  let started = 0;
  const fixture: Pick<Fixture, 'isRunning' | 'end' | 'afterWalk'> = {
    isRunning: false,
    end: 'done',
    afterWalk: async () => undefined,
  };
  const clock = {
    timestamp: () => new Date(now).toISOString(),
    now: () => now,
    monotonic: () => now,
  };
  const records = new SqlJobRecords({ engine: library.sql, clock });
  const ownerState = async () => 'alive' as const;
  const jobs = new Jobs({ records, clock, owner: 'me', ownerState, host: '' });
  const begin = async (kind: string) => {
    const request = { kind, options: {}, actor: { kind: 'system' } } as const;
    const begun = await jobs.begin(request, thrice);
    if ('running' in begun) throw alreadyRunning();
    return begun.id;
  };
  const open = () => {
    const scans = new AutomaticScans({
      scanner: {
        async findChanges(scanOptions) {
          walks += 1;
          const changes = await library.scanner.findChanges(scanOptions);
          await fixture.afterWalk();
          return changes;
        },
        scan: (scanOptions) => library.scanner.scan(scanOptions),
      },
      roots: async () => [library.games, library.videos],
      everyMs: 15 * minute,
      checks: sqlAutomaticChecks({ engine: library.sql, name: 'here' }),
      leases: leasesIn(library.sql),
      name: 'here',
      clock,
      jobs: {
        async start() {
          if (fixture.isRunning) throw alreadyRunning();
          started += 1;
          const id = await begin('scan');
          const isDone = fixture.end === 'done';
          if (isDone) await library.scan({ hash: true, isComplete: completeFileTest(now) });
          await records.finish(id, fixture.end, {});
          return id;
        },
        failedAt: (job) => jobs.failedAt(job),
        isImporting: () => jobs.isAnyUnended(['import', 'fetch-catalogue']),
        importEndedAt: () => jobs.lastEndedAt(['import', 'fetch-catalogue']),
      },
      onFailure(error) {
        throw error;
      },
    });
    onTestFinished(() => scans.close());
    return scans;
  };
  const scans = open();
  return Object.assign(fixture, library, {
    scans,
    started: () => started,
    walks: () => walks,
    another: open,
    async beginImport(kind: string) {
      const id = await begin(kind);
      return () => records.finish(id, 'done', {});
    },
    async after(ms: number) {
      now += ms;
      await scans.check();
    },
    async put(name: string, age: number, content = name) {
      const path = await library.write(name, content);
      const at = new Date(now - age);
      await utimes(path, at, at);
      return path;
    },
  });
}

describe('the automatic scan', () => {
  test('starts a scan only for new, changed, moved and deleted files', async () => {
    const library = await useAutomaticScans();
    const one = await library.put('one.iso', minute);
    await library.after(0);
    expect(library.started()).toBe(1);
    expect(library.hashed).toEqual(['games/one.iso']);
    await library.after(14 * minute);
    expect(library.walks()).toBe(1);
    await library.after(minute);
    await library.after(15 * minute);
    expect([library.walks(), library.started()]).toEqual([3, 1]);

    await library.put('one.iso', 2 * minute, 'changed');
    await library.after(15 * minute);
    expect(library.started()).toBe(2);
    const two = join(library.games.path, 'two.iso');
    await rename(one, two);
    await library.after(15 * minute);
    expect(library.started()).toBe(3);
    await library.put('three.iso', minute);
    await rm(two);
    await library.after(15 * minute);
    expect(library.started()).toBe(4);
    expect((await library.items()).map(({ name }) => name)).toEqual(['three.iso']);
    await library.after(15 * minute);
    expect(library.started()).toBe(4);
  });

  test('skips a file that still grows, and checks it again after three minutes', async () => {
    const library = await useAutomaticScans();
    await library.put('copy.iso', 0, 'a');
    await library.put('done.iso', minute);
    await library.after(0);
    expect((await library.items()).map(({ name }) => name)).toEqual(['done.iso']);
    await library.put('copy.iso', -3 * minute, 'ab');
    await library.after(3 * minute);
    expect(library.walks()).toBe(2);
    expect(library.identified).toEqual(['games/done.iso']);
    await library.after(3 * minute);
    expect((await library.items()).map(({ name }) => name)).toEqual(['copy.iso', 'done.iso']);
    await library.after(3 * minute);
    expect([library.walks(), library.started()]).toEqual([3, 2]);
  });

  test('scans a file dated in the future once two walks found it unchanged', async () => {
    const library = await useAutomaticScans();
    await library.put('ahead.iso', -60 * minute);
    await library.after(0);
    expect(library.started()).toBe(0);
    await library.after(3 * minute);
    expect(library.started()).toBe(1);
    expect(library.identified).toEqual(['games/ahead.iso']);
  });

  test('does not change the record of a known file while it is written again', async () => {
    const library = await useAutomaticScans();
    await library.put('one.iso', minute, 'one');
    await library.after(0);
    const before = await library.stored('one.iso', 'sha1');
    await library.put('one.iso', 0, 'one and');
    await library.after(15 * minute - 1);
    await library.put('one.iso', 0, 'one and');
    await library.after(1);
    expect(library.started()).toBe(1);
    expect(await library.stored('one.iso', 'sha1')).toBe(before);
  });

  test('starts only one scan for a file that cannot be read', async ({ skip }) => {
    if (process.getuid?.() === 0) return skip('skipped: root may read every file');
    const library = await useAutomaticScans();
    await chmod(await library.put('closed.iso', minute), 0);
    await library.after(0);
    await library.after(15 * minute);
    expect([library.walks(), library.started()]).toEqual([2, 1]);
  });

  test('starts no scan for a missing or emptied root, and keeps the records of its files', async () => {
    const library = await useAutomaticScans();
    await library.put('one.iso', minute);
    await rm(library.videos.path, { recursive: true });
    await library.after(0);
    expect(library.started()).toBe(1);
    await rm(library.games.path, { recursive: true });
    await library.after(15 * minute);
    expect([library.walks(), library.started()]).toEqual([2, 1]);
    await mkdir(library.games.path);
    await library.after(15 * minute);
    expect([library.walks(), library.started()]).toEqual([3, 1]);
    expect(await library.stored('one.iso', 'sha1')).not.toBeNull();
  });

  test('matches known files once after an import', async () => {
    const library = await useAutomaticScans();
    await library.put('One.iso', minute);
    await library.after(0);
    await library.take([game('One', 'one')], 'Sony - PlayStation');
    await library.after(15 * minute);
    expect(library.started()).toBe(2);
    expect(await library.matchOf('One.iso')).toMatchObject({ release: 'One', method: 'name' });
    await library.after(15 * minute);
    expect(library.started()).toBe(2);
  });

  test('identifies new files while another scan hashes, and hashes them afterwards', async () => {
    const library = await useAutomaticScans();
    library.isRunning = true;
    await library.put('one.iso', minute);
    await library.after(0);
    expect([library.identified, library.hashed]).toEqual([['games/one.iso'], []]);
    await library.after(15 * minute);
    expect(library.identified).toEqual(['games/one.iso']);
    library.isRunning = false;
    await library.after(15 * minute);
    expect(library.hashed).toEqual(['games/one.iso']);
    await library.after(15 * minute);
    expect(library.started()).toBe(1);
  });

  test('does nothing while another scan runs if known files are to be matched again', async () => {
    const library = await useAutomaticScans();
    await library.put('One.iso', minute);
    await library.after(0);
    await library.take([game('One', 'one')], 'Sony - PlayStation');
    await library.put('Two.iso', minute);
    library.isRunning = true;
    library.forgetCalls();
    await library.after(15 * minute);
    expect(library.identified).toEqual([]);
    expect(await library.matchOf('One.iso')).toBeNull();
    library.isRunning = false;
    await library.after(15 * minute);
    expect(library.hashed).toEqual(['games/Two.iso']);
    expect(await library.matchOf('One.iso')).toMatchObject({ release: 'One', method: 'name' });
  });

  test('leaves known files to the next scan if an import ends after the walk', async () => {
    const library = await useAutomaticScans();
    await library.put('One.iso', minute);
    await library.after(0);
    await library.put('Two.iso', minute);
    library.isRunning = true;
    library.afterWalk = () => library.take([game('One', 'one')], 'Sony - PlayStation');
    library.forgetCalls();
    await library.after(15 * minute);
    library.afterWalk = async () => undefined;
    expect(library.identified).toEqual(['games/Two.iso']);
    expect(await library.matchOf('One.iso')).toBeNull();
    library.isRunning = false;
    await library.after(15 * minute);
    expect(await library.matchOf('One.iso')).toMatchObject({ release: 'One', method: 'name' });
  });

  test('opens a file that changes after the walk only when it no longer changes', async () => {
    const library = await useAutomaticScans();
    await library.put('One.iso', minute, 'old');
    library.isRunning = true;
    library.afterWalk = () => library.put('One.iso', 0, 'it is written now');
    await library.after(0);
    expect(library.identified).toEqual([]);
    library.afterWalk = async () => undefined;
    await library.after(15 * minute);
    expect(library.identified).toEqual(['games/One.iso']);
    expect(await library.stored('One.iso', 'size')).toBe('it is written now'.length);
  });

  test('reads no new files during another scan if known files must be read again', async () => {
    const library = await useAutomaticScans();
    await library.put('One.iso', minute);
    await library.after(0);
    await library.put('Two.iso', minute);
    await library.sql.write((trx) =>
      trx.updateTable('library_file').set({ reader: 'old' }).execute(),
    );
    library.isRunning = true;
    library.forgetCalls();
    await library.after(15 * minute);
    expect(library.identified).toEqual([]);
  });

  test.each(['import', 'fetch-catalogue'] as const)(
    'matches known files again only after the job %s, but scans new files meanwhile',
    async (kind) => {
      const library = await useAutomaticScans();
      await library.put('One.iso', minute);
      await library.after(0);
      const end = await library.beginImport(kind);
      await library.take([game('One', 'one')], 'Sony - PlayStation');
      await library.after(15 * minute);
      expect(library.started()).toBe(1);
      await library.put('Two.iso', minute);
      await library.after(15 * minute);
      expect(library.started()).toBe(2);
      await library.take([game('Two', 'two')], 'Nintendo - GameCube');
      await library.after(15 * minute);
      expect(library.started()).toBe(2);
      const walks = library.walks();
      await end();
      await library.after(minute / 2); // too early for a file that still grows
      expect(library.walks()).toBe(walks);
      await (await library.beginImport(kind))();
      await library.after(minute / 2);
      expect([library.walks() - walks, library.started()]).toEqual([1, 3]);
      expect(await library.matchOf('Two.iso')).toMatchObject({ release: 'Two', method: 'name' });
      await library.after(minute);
      expect(library.walks() - walks).toBe(1);
      await (await library.beginImport(kind))();
      await library.after(5_000); // too early: another import may follow
      expect(library.walks() - walks).toBe(1);
      await library.after(5_000);
      expect(library.walks() - walks).toBe(2);
    },
  );

  test.each(['failed', 'interrupted'] as const)(
    'repeats a scan that ends as %s, after longer and longer pauses',
    async (end) => {
      const library = await useAutomaticScans();
      library.end = end;
      await library.put('one.iso', minute);
      const starts: number[] = [];
      for (let walk = 0; walk < 8; walk += 1) {
        const before = library.started();
        await library.after(walk === 0 ? 0 : 15 * minute);
        if (library.started() > before) starts.push(walk);
      }
      expect(starts).toEqual([0, 1, 2, 5]);
      library.end = 'done';
      for (let walk = 0; walk < 8; walk += 1) await library.after(15 * minute);
      expect(library.started()).toBe(5);
      expect(library.hashed).toEqual(['games/one.iso']);
    },
  );

  test('does not repeat a scan that a user stopped', async () => {
    const library = await useAutomaticScans();
    library.end = 'stopped';
    await library.put('one.iso', minute);
    for (let walk = 0; walk < 4; walk += 1) await library.after(15 * minute);
    expect([library.walks(), library.started()]).toEqual([4, 1]);
  });

  test('walks in only one of several processes of a host', async () => {
    const library = await useAutomaticScans();
    const others = [library.another(), library.another()];
    await Promise.all([library.scans, ...others].map((scans) => scans.check()));
    expect(library.walks()).toBe(1);
    await library.after(15 * minute);
    await Promise.all(others.map((scans) => scans.check()));
    expect(library.walks()).toBe(2);
  });

  test('does not walk if the interval is zero', async () => {
    const library = await useLibrary();
    const scans = new AutomaticScans({
      scanner: library.scanner,
      roots: () => {
        throw new Error('it walked');
      },
      everyMs: 0,
      checks: sqlAutomaticChecks({ engine: library.sql, name: 'here' }),
      leases: leasesIn(library.sql),
      name: 'here',
      clock: { timestamp: () => '', now: () => start, monotonic: () => start },
      jobs: {
        start: async () => 0,
        failedAt: async () => null,
        isImporting: async () => false,
        importEndedAt: async () => null,
      },
      onFailure(error) {
        throw error;
      },
    });
    scans.begin();
    await scans.close();
    await writeFile(join(library.games.path, 'one.iso'), 'one');
    expect(await sqlAutomaticChecks({ engine: library.sql, name: 'here' }).lastAt()).toBeNull();
  });
});
