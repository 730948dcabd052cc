import { expect, test } from 'vitest';
import type { Match } from '../../../src/core/library/library-file.ts';
import type { LibraryRecords } from '../../../src/core/library/ports.ts';
import { listKnown } from '../../support/data/known-files.ts';
import { games, scannedOf, scanOf, videos } from './library-files.ts';

type Records = Pick<LibraryRecords, 'list' | 'store' | 'known'>;

/**
 * Contract of every `LibraryList` adapter. `addRelease` adds a release of the system `videos` with
 * these ROMs and returns its id. `removeRelease` deletes a release.
 */
export function libraryListContract(
  create: () => Promise<
    Records & {
      addRelease(roms?: readonly { name: string; size: number }[]): Promise<number>;
      removeRelease(id: number): Promise<void>;
    }
  >,
): void {
  const both = [games, videos];
  const matched = (releaseId: number): Match => ({ releaseId, method: 'sha1', canonical: 'R.iso' });

  test('contains the items below the requested roots', async () => {
    const { list, store } = await create();
    expect([await list.items(both), await list.countByMethod(both)]).toEqual([[], []]);
    await store.save(games, [scanOf('/games/b'), scanOf('/games/a')]);
    await store.save(videos, [scanOf('/videos/c')]);
    expect(await list.items([games])).toMatchObject([{ name: 'a' }, { name: 'b' }]);
    expect(await list.items([])).toEqual([]);
    expect((await list.items(both)).map(({ name, system }) => [name, system])).toEqual([
      ['a', 'games'],
      ['b', 'games'],
      ['c', 'videos'],
    ]);
    expect(await list.countByMethod(both)).toEqual([[null, 3]]);
  });

  test('contains each name and size once, preferring matched files, then by path', async () => {
    const { list, store, addRelease } = await create();
    const match = matched(await addRelease());
    await store.save(games, [
      scanOf('/games/z/same'),
      scanOf('/games/b/same'),
      scanOf('/games/c/same', { size: 1 }),
      { ...scanOf('/games/y/found'), match },
      scanOf('/games/a/found'),
    ]);
    const items = await list.items(both);
    expect(items.map(({ path }) => path)).toEqual([
      '/games/y/found',
      '/games/c/same',
      '/games/b/same',
    ]);
    expect(items[0]).toEqual({
      name: 'found',
      path: '/games/y/found',
      size: 5_000_000_001,
      system: 'videos',
      serial: 'ULUS-10041',
      ...match,
    });
    expect(new Map(await list.countByMethod(both))).toEqual(
      new Map([
        [null, 4],
        ['sha1', 1],
      ]),
    );
  });

  test('contains all files of a release, each with the ROM that it matches', async () => {
    const { list, store, addRelease } = await create();
    const size = 5_000_000_000; // size of the images
    const roms = ['A.iso', 'B.iso'].map((name, index) => ({ name, size: size + index }));
    const releaseId = await addRelease(roms);
    const other = await addRelease(roms);
    const as = (match: Omit<Match, 'releaseId'>) => ({ releaseId, ...match });
    const of = (path: string, match: Match) => ({ ...scanOf(path), match });
    await store.save(games, [
      of('/games/z/same', as({ method: 'sha1', canonical: 'B.iso' })),
      of('/games/a/same', as({ method: 'serial', canonical: 'A.iso' })),
      of('/games/B.iso', as({ method: 'name', canonical: 'B.iso' })),
      of('/games/c', as({ method: 'serial', canonical: 'B.iso' })),
      of('/games/d', as({ method: 'md5', canonical: 'renamed.iso' })),
      of('/games/e', as({ method: 'name', canonical: null })),
      of('/games/f', matched(other)),
      scanOf('/games/g'),
    ]);
    await store.save(videos, [of('/videos/h', as({ method: 'crc32', canonical: 'A.iso' }))]);
    const files = await list.ofRelease(releaseId);
    expect(files.map(({ path, method, rom }) => [path, method, rom])).toEqual([
      ['/games/B.iso', 'name', 'B.iso'],
      ['/games/c', 'serial', null],
      ['/games/d', 'md5', null],
      ['/games/e', 'name', null],
      ['/videos/h', 'crc32', 'A.iso'],
      ['/games/a/same', 'serial', 'A.iso'],
      ['/games/z/same', 'sha1', 'B.iso'],
    ]);
    expect(new Set(files.map(({ id }) => id)).size).toBe(7);
    expect(files[1]).toEqual({
      ...{ id: expect.any(Number), name: 'c', path: '/games/c', size: 5_000_000_001 },
      ...{ method: 'serial', rom: null },
    });
    for (const id of [0, 999, 2 ** 53]) expect(await list.ofRelease(id)).toEqual([]);
  });

  test('is sorted by code point', async () => {
    const { list, store } = await create();
    const names = ['\u{1F600}', 'a', '\uff5a', 'Z', 'é'];
    await store.save(
      games,
      names.map((name) => scanOf(`/games/${name}`)),
    );
    const shown = (await list.items([games])).map(({ name }) => name);
    expect(shown).toEqual(['Z', 'a', 'é', '\uff5a', '\u{1F600}']);
  });

  test('contains no match for a file whose release was deleted', async () => {
    const { list, store, addRelease, removeRelease } = await create();
    const id = await addRelease();
    await store.save(games, [{ ...scanOf('/games/a'), match: matched(id) }]);
    await removeRelease(id);
    expect(await list.items([games])).toMatchObject([
      { releaseId: null, method: null, canonical: null, system: 'games' },
    ]);
  });

  test('has a new version after each change of its items, and otherwise the same one', async () => {
    const { list, store, known } = await create();
    const versions = [await list.version()];
    const change = async (work: Promise<void>) => {
      await work;
      versions.push(await list.version());
    };
    expect(await list.version()).toBe(versions[0]);
    await change(store.save(games, [scanOf('/games/a'), scanOf('/games/b')]));
    await change(store.save(games, [scanOf('/games/a', { size: 3 })]));
    const ids = (await listKnown(known, games)).map(({ id }) => id);
    await change(store.forget(ids.slice(0, 1)));
    await store.markScanned(games);
    expect(await list.version()).toBe(versions.at(-1));
    await change(store.markScanned({ ...games, system: 'videos' }));
    expect(new Set(versions).size).toBe(versions.length);
  });

  test('counts files that were matched as part of a set', async () => {
    const { list, store, addRelease } = await create();
    const match = matched(await addRelease());
    await store.save(games, [scanOf('/games/a'), scanOf('/games/b'), scanOf('/games/c')]);
    const found = { match, tied: [], evidence: {}, setKey: 'k' };
    await store.saveMatches(games, [
      { ...found, file: scannedOf('/games/a') },
      { ...found, file: scannedOf('/games/b'), match: null },
      { ...found, file: scannedOf('/games/c'), setKey: null },
    ]);
    expect([await list.countInSets([games]), await list.countInSets([videos])]).toEqual([1, 0]);
  });
}
