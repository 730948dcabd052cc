import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Library } from '../../src/core/library/library.ts';
import type { LibraryRoot } from '../../src/core/library/library-file.ts';
import { oneHost } from '../../src/core/library/root-hosts.ts';
import type { ScanReport } from '../../src/core/library/scan/scan-report.ts';
import { systemClock } from '../../src/core/shared/clock.ts';
import { PartRevisions } from '../../src/sql/engine/part-revisions.ts';
import { libraryRefreshes } from '../../src/sql/library/library-records.ts';
import { leasesIn } from '../support/data/leases.ts';
import { type LibraryFixture, romOf, useLibrary } from './library-fixture.ts';

function open(fixture: LibraryFixture, roots: readonly LibraryRoot[] = [fixture.games]) {
  const reports: ScanReport[] = [];
  let ms = 5;
  const library = new Library({
    list: fixture.records.list,
    scanned: fixture.records.scanned,
    scanner: fixture.scanner,
    roots,
    hosts: oneHost,
    host: '',
    leases: leasesIn(fixture.sql),
    refreshes: libraryRefreshes(fixture.sql, new PartRevisions(fixture.sql)),
    clock: { ...systemClock, monotonic: () => ms },
    onReport: (report) => reports.push(report),
  });
  return {
    library,
    reports,
    wait(more: number) {
      ms += more;
    },
    names: async (refresh = false) => (await library.list({ refresh })).map(({ name }) => name),
  };
}

describe('the library list', () => {
  test('shows a file that another process found after 60 seconds, not before', async () => {
    const fixture = await useLibrary();
    const { names, wait } = open(fixture);
    expect(await names()).toEqual([]);
    await fixture.write('a.iso');
    await fixture.scan();
    wait(60_000);
    expect(await names()).toEqual([]);
    wait(1);
    expect(await names()).toEqual(['a.iso']);
  });

  test('shows new and hides removed files only on a refresh, which does not hash', async () => {
    const fixture = await useLibrary();
    const { names, wait, reports } = open(fixture);
    const gone = await fixture.write('gone.iso');
    expect(await names()).toEqual([]);
    expect(await names(true)).toEqual(['gone.iso']);
    expect(await names()).toEqual(['gone.iso']);
    rmSync(gone);
    await fixture.write('new.iso');
    expect(await names()).toEqual(['gone.iso']);
    expect(await names(true)).toEqual(['new.iso']);
    wait(60_000);
    expect(await names()).toEqual(['new.iso']);
    expect(fixture.hashed).toEqual([]);
    expect(reports).toHaveLength(2);
  });

  test('runs one refresh for concurrent requests, and serves the old list meanwhile', async () => {
    const fixture = await useLibrary();
    const { names, reports } = open(fixture);
    for (let i = 0; i < 200; i += 1) await fixture.write(`${i}.iso`);
    const all = Promise.all(Array.from({ length: 20 }, () => names(true)));
    expect(await names()).toEqual([]);
    expect((await all).map((list) => list.length)).toEqual(Array(20).fill(200));
    expect(reports).toHaveLength(1);
    await names(true);
    expect(reports).toHaveLength(2);
  });

  test('lists nothing on each refresh if the root is missing', async () => {
    const fixture = await useLibrary();
    await fixture.write('a.iso');
    const { names } = open(fixture, [{ path: join(fixture.folder, 'missing'), system: 'games' }]);
    expect(await names(true)).toEqual([]);
    expect(await names(true)).toEqual([]);
  });

  test('lists one item per name and size, preferably a matched one, by code point', async () => {
    const fixture = await useLibrary();
    await fixture.take([{ name: 'Right', roms: [romOf('1234', 'r.iso')] }]);
    await fixture.write('a/same.iso', 'abcd');
    await fixture.write('b/same.iso', '1234');
    await fixture.write('c/same.iso', '123456');
    await fixture.write('z/plain.iso', '12');
    await fixture.write('y/plain.iso', '21');
    await fixture.write('Z.iso');
    await fixture.write('ｚ.iso');
    await fixture.write('\u{1F600}.iso');
    await fixture.scan({ hash: true });
    const { library } = open(fixture);
    const items = await library.list({ refresh: false });
    expect(
      items.map(({ path, method }) => [path.slice(fixture.games.path.length), method]),
    ).toEqual([
      ['/Z.iso', null],
      ['/y/plain.iso', null],
      ['/b/same.iso', 'sha1'],
      ['/c/same.iso', null],
      ['/ｚ.iso', null],
      ['/\u{1F600}.iso', null],
    ]);
  });

  test('lists only files of its roots, with the system of the release, else the root', async () => {
    const fixture = await useLibrary();
    await fixture.write('game.iso');
    await fixture.write('../videos/film.iso');
    await fixture.write('../videos/really a game.iso');
    await fixture.take([{ name: 'G', roms: [romOf('../videos/really a game.iso', 'g.iso')] }]);
    await fixture.scan({ hash: true });
    const systems = async (roots: LibraryRoot[]) => {
      const items = await open(fixture, roots).library.list({ refresh: false });
      return items.map(({ name, system }) => [name, system]);
    };
    const films = [
      ['film.iso', 'videos'],
      ['really a game.iso', 'games'],
    ];
    expect(await systems([fixture.games])).toEqual([['game.iso', 'games']]);
    expect(await systems([fixture.videos])).toEqual(films);
    expect(await systems([fixture.games, fixture.videos])).toEqual([
      films[0],
      ['game.iso', 'games'],
      films[1],
    ]);
    expect(await systems([])).toEqual([]);
  });

  test('starts the first pass only if a root was never scanned', async () => {
    const fixture = await useLibrary();
    await fixture.write('a.iso');
    const first = open(fixture, [fixture.games, fixture.videos]);
    await first.library.startFirstPass();
    expect(await first.names()).toEqual(['a.iso']);
    const second = open(fixture, [fixture.games, fixture.videos]);
    await second.library.startFirstPass();
    expect([first.reports.length, second.reports.length]).toEqual([1, 0]);
  });

  test('shows matches of an import at the next refresh', async () => {
    const fixture = await useLibrary();
    await fixture.write('a.iso');
    await fixture.scan({ hash: true });
    const { library } = open(fixture);
    await fixture.take([{ name: 'A', roms: [romOf('a.iso', 'A.iso')] }]);
    expect(await library.list({ refresh: false })).toMatchObject([{ method: null }]);
    expect(await library.list({ refresh: true })).toMatchObject([
      { method: 'sha1', canonical: 'A.iso' },
    ]);
  });

  test('is read again only when a file, a match or a root changed', async () => {
    const fixture = await useLibrary();
    await fixture.write('a.iso');
    await fixture.write('b.iso');
    await fixture.scan({ hash: true });
    const { library, wait } = open(fixture);
    const refreshed = () => library.list({ refresh: true });
    let before = await refreshed();
    const isReadAgain = async (list = refreshed()) => {
      const after = await list;
      const isSame = after === before;
      before = after;
      return !isSame;
    };
    expect(await isReadAgain()).toBe(false);
    wait(60_001);
    expect(await isReadAgain(library.list({ refresh: false }))).toBe(false);
    await fixture.write('b.iso', 'changed');
    expect(await isReadAgain()).toBe(true);
    rmSync(join(fixture.games.path, 'b.iso'));
    expect(await isReadAgain()).toBe(true);
    await fixture.take([{ name: 'A', roms: [romOf('a.iso', 'A.iso')] }]);
    expect(await isReadAgain()).toBe(true);
    expect(before).toMatchObject([{ method: 'sha1' }]);
    await fixture.scan({ roots: [{ ...fixture.games, system: 'videos' }] });
    wait(60_001);
    expect(await isReadAgain(library.list({ refresh: false }))).toBe(true);
  });

  test('is read again after startup if a scan found a file since', async () => {
    const fixture = await useLibrary();
    await fixture.write('a.iso');
    await fixture.scan();
    const { library, names, reports } = open(fixture);
    await library.startFirstPass();
    await fixture.write('b.iso');
    await fixture.scan();
    expect(await names()).toEqual(['a.iso', 'b.iso']);
    expect(reports).toEqual([]);
  });

  test('aborts its refresh when the server stops', async () => {
    const fixture = await useLibrary();
    for (let i = 0; i < 300; i += 1) await fixture.write(`${i}.iso`);
    const { library } = open(fixture);
    const refreshing = library.list({ refresh: true });
    const outcome = expect(refreshing).rejects.toThrow('the server stops');
    await library.close();
    await outcome;
  });

  test('shows a refresh of another process at once, and shares one with it', async () => {
    const fixture = await useLibrary();
    const [one, other] = [open(fixture), open(fixture)];
    expect(await one.names()).toEqual([]);
    await fixture.write('a.iso');
    expect(await other.names(true)).toEqual(['a.iso']);
    expect(await one.names()).toEqual(['a.iso']);
    await fixture.write('b.iso');
    const both = await Promise.all([one.names(true), other.names(true)]);
    expect(both).toEqual([
      ['a.iso', 'b.iso'],
      ['a.iso', 'b.iso'],
    ]);
    expect([...one.reports, ...other.reports]).toHaveLength(2);
  });
});
