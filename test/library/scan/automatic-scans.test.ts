import { chmod, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AutomaticScans } from '../../../src/core/library/scan/automatic-scans.ts';
import { settledBy } from '../../../src/core/library/scan/growing-files.ts';
import { alreadyRunning } from '../../../src/core/shared/errors.ts';
import { sqlAutomaticChecks } from '../../../src/sql/library/automatic-checks.ts';
import { game } from '../../imports/support/dat-text.ts';
import { leasesIn } from '../../support/data/leases.ts';
import { type LibraryFixture, useLibrary } from '../library-fixture.ts';

const minute = 60_000;
const start = Date.UTC(2026, 10, 25, 12);

interface Fixture extends LibraryFixture {
  readonly scans: AutomaticScans;
  /** The number of scans that were started. */
  readonly started: () => number;
  /** The number of walks. */
  readonly walks: () => number;
  /** Another process of the same host. */
  another(): AutomaticScans;
  /** Lets time pass and checks. */
  after(ms: number): Promise<void>;
  /** Writes a file that was modified `age` milliseconds ago. */
  put(name: string, age: number, content?: string): Promise<string>;
  /** Makes every start fail, as while another scan runs. */
  isRunning: boolean;
}

async function useAutomaticScans(): Promise<Fixture> {
  const library = await useLibrary();
  let now = start;
  let walks = 0;
  let started = 0;
  const fixture = { isRunning: false };
  const open = () => {
    const scans = new AutomaticScans({
      scanner: {
        findChanges(asked) {
          walks += 1;
          return library.scanner.findChanges(asked);
        },
        scan: (asked) => library.scanner.scan(asked),
      },
      roots: async () => [library.games, library.videos],
      everyMs: 15 * minute,
      checks: sqlAutomaticChecks({ engine: library.sql, name: 'here' }),
      leases: leasesIn(library.sql),
      name: 'here',
      clock: { timestamp: () => '', now: () => now, monotonic: () => now },
      async start() {
        if (fixture.isRunning) throw alreadyRunning();
        started += 1;
        await library.scan({ hash: true, isSettled: settledBy(now) });
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

test('starts a scan for new, changed, moved and deleted files, and for nothing else', async () => {
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

test('leaves a file that still grows, and looks at it again soon', async () => {
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

test('takes a file from the future, once it is the same in two walks', async () => {
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

test('starts one scan for a file that no scan can read', async () => {
  if (process.getuid?.() === 0) return; // root may read every file
  const library = await useAutomaticScans();
  await chmod(await library.put('closed.iso', minute), 0);
  await library.after(0);
  await library.after(15 * minute);
  expect([library.walks(), library.started()]).toEqual([2, 1]);
});

test('starts nothing for a root that is missing or lost its files', async () => {
  const library = await useAutomaticScans();
  await library.put('one.iso', minute);
  await rm(library.videos.path, { recursive: true });
  await library.after(0);
  expect(library.started()).toBe(1);
  await rm(library.games.path, { recursive: true });
  await library.after(15 * minute);
  expect([library.walks(), library.started()]).toEqual([2, 1]);
  expect(await library.stored('one.iso', 'sha1')).not.toBeNull();
});

test('matches known files after an import', async () => {
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

test('lets one process of a host walk', async () => {
  const library = await useAutomaticScans();
  const others = [library.another(), library.another()];
  await Promise.all([library.scans, ...others].map((scans) => scans.check()));
  expect(library.walks()).toBe(1);
  await library.after(15 * minute);
  await Promise.all(others.map((scans) => scans.check()));
  expect(library.walks()).toBe(2);
});

test('does not begin without an interval', async () => {
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
    start: async () => undefined,
    onFailure(error) {
      throw error;
    },
  });
  scans.begin();
  await scans.close();
  await writeFile(join(library.games.path, 'one.iso'), 'one');
  expect(await sqlAutomaticChecks({ engine: library.sql, name: 'here' }).lastAt()).toBeNull();
});
