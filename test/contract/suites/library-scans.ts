import { describe, expect, test } from 'vitest';
import type { LibraryRoot } from '../../../src/core/library/library-file.ts';
import type { LibraryRecords } from '../../../src/core/library/ports.ts';
import { listKnown } from '../../support/data/known-files.ts';
import { fileOf, games, hashesOf, scannedOf, scanOf, videos } from './library-files.ts';

type Records = Pick<LibraryRecords, 'known' | 'scanned' | 'store'>;

/**
 * Contract of every `ScanStore` adapter. Also the contract of `KnownFiles` and `ScannedFiles`,
 * which return the data that a `ScanStore` has stored.
 */
export function libraryScansContract(create: () => Promise<Records>): void {
  const below = (root: LibraryRoot, names: readonly string[]) =>
    names.map((name) => `${root.path}/${name}`);
  const pathsOf = async ({ known }: Records, root = games) =>
    (await listKnown(known, root)).map(({ path }) => path);
  const one = async ({ scanned }: Records, path: string, root = games) =>
    (await scanned.filesAt(root, [path]))[0];

  test('returns nothing for a root that was never saved', async () => {
    const { known, scanned, store } = await create();
    expect(await listKnown(known, games)).toEqual([]);
    expect(await known.inodesOf([])).toEqual(new Map());
    expect(await known.inodesOf([1])).toEqual(new Map());
    expect(await scanned.filesAt(games, ['/games/a'])).toEqual([]);
    expect(await scanned.pageAfter(games, '', 10)).toEqual([]);
    await store.save(games, []);
    await store.move([]);
    await store.forget([]);
    expect(await scanned.wasScanned(games)).toBe(false);
  });

  test('returns saved files exactly, to the last digit', async () => {
    const records = await create();
    const hashed = fileOf('/games/b', { hashes: hashesOf('b', 2 ** 40) });
    await records.store.save(games, [scanOf('/games/a'), { ...scanOf('/games/b'), file: hashed }]);
    expect(await records.scanned.filesAt(games, below(games, ['b', 'a', 'no', 'a']))).toHaveLength(
      2,
    );
    expect(await one(records, '/games/a')).toEqual(scannedOf('/games/a'));
    expect(await one(records, '/games/b')).toEqual({
      ...hashed,
      releaseId: null,
      method: null,
      setKey: null,
    });
    const known = await listKnown(records.known, games);
    const { size, mtimeNs, inode } = hashed;
    expect(known).toEqual([
      { id: expect.any(Number), path: '/games/a', size, mtimeNs },
      { id: expect.any(Number), path: '/games/b', size, mtimeNs },
    ]);
    const [id = 0] = known.map((file) => file.id);
    expect(await records.known.inodesOf([id, id + 1000])).toEqual(new Map([[id, inode]]));
  });

  test('lists files with any names by code point, in pages', async () => {
    const records = await create();
    const names = ['Z', 'a b', "it's", '"%_', '\uff5a', '\u{1F600}', 'n\nl', '\\', 'a/b'];
    const many = Array.from({ length: 4_100 }, (_, i) => `m${String(i).padStart(5, '0')}`);
    const paths = below(games, [...names, ...many]);
    await records.store.save(
      games,
      paths.map((path) => scanOf(path)),
    );
    const ordered = paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await pathsOf(records)).toEqual(ordered);
    const seen: string[] = [];
    for (let after = ''; ; after = seen.at(-1) ?? '') {
      const page = await records.scanned.pageAfter(games, after, 1_000);
      if (page.length === 0) break;
      seen.push(...page.map((file) => file.path));
    }
    expect(seen).toEqual(ordered);
    expect(await records.scanned.filesAt(games, paths)).toHaveLength(paths.length);
  });

  test('lists fewer files per page if their records are large, but at least one', async () => {
    const { store, scanned } = await create();
    const long = { ...fileOf('/games/a').identity, title: 'x'.repeat(3 * 1024 * 1024) };
    const names = ['a', 'b', 'c'];
    for (const name of names)
      await store.save(games, [scanOf(`/games/${name}`, { identity: long })]);
    await store.save(games, [scanOf('/games/d'), scanOf('/games/e')]);
    const pages: string[] = [];
    for (let after = ''; ; ) {
      const page = await scanned.pageAfter(games, after, 10);
      if (page.length === 0) break;
      pages.push(page.map(({ name }) => name).join(' '));
      after = page.at(-1)?.path ?? '';
    }
    expect(pages).toEqual(['a', 'b', 'c', 'd e']);
  });

  test('lists only the files without hashes if requested', async () => {
    const { store, scanned } = await create();
    await store.save(games, [
      scanOf('/games/a'),
      scanOf('/games/b', { hashes: hashesOf('b') }),
      scanOf('/games/c'),
    ]);
    const unhashed = await scanned.pageAfter(games, '', 10, { only: 'unfound' });
    expect(unhashed.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(await scanned.pageAfter(games, '/games/a', 1)).toMatchObject([{ name: 'b' }]);
  });

  test('replaces the record of a path, and keeps hashes if size and time are equal', async () => {
    const records = await create();
    const save = (more: Parameters<typeof scanOf>[1]) =>
      records.store.save(games, [scanOf('/games/a', more)]);
    const hashes = hashesOf('a');
    await save({ inode: 1n });
    await save({ hashes });
    await save({ hashes: null, inode: 2n });
    expect(await one(records, '/games/a')).toEqual(scannedOf('/games/a', { hashes }));
    await save({ hashes: hashesOf('b') });
    expect((await one(records, '/games/a'))?.hashes).toEqual(hashesOf('b'));
    await save({ mtimeNs: 5n });
    expect(await one(records, '/games/a')).toEqual(scannedOf('/games/a', { mtimeNs: 5n }));
    expect(await pathsOf(records)).toEqual(['/games/a']);
  });

  test('records the format reader of a file, and drops hashes when that changes', async () => {
    const records = await create();
    const { store, scanned } = records;
    const hashes = hashesOf('a');
    const both = [scanOf('/games/a', { hashes }), scanOf('/games/b', { reader: 'zip 1, psp 1' })];
    await store.save(games, both);
    expect((await scanned.readers(games)).toSorted()).toEqual(['cso 1, psp 1', 'zip 1, psp 1']);
    expect(await scanned.readers(videos)).toEqual([]);
    expect(await scanned.readBy(games, ['zip 1, psp 1', 'x'])).toEqual(new Set(['/games/b']));
    expect(await scanned.readBy(games, [])).toEqual(new Set());
    await store.save(games, [scanOf('/games/a', { reader: 'cso 2, psp 1' })]);
    expect((await one(records, '/games/a'))?.hashes).toBeNull();
  });

  test('keeps separate records of a file for each root', async () => {
    const records = await create();
    const inner: LibraryRoot = { path: '/games/inner', system: 'videos' };
    await records.store.save(games, [scanOf('/games/inner/a')]);
    await records.store.save(inner, [scanOf('/games/inner/a', { hashes: hashesOf('a') })]);
    expect((await one(records, '/games/inner/a'))?.hashes).toBeNull();
    expect((await one(records, '/games/inner/a', inner))?.hashes).toEqual(hashesOf('a'));
    await records.store.forget((await listKnown(records.known, games)).map(({ id }) => id));
    expect(await pathsOf(records)).toEqual([]);
    expect(await pathsOf(records, inner)).toEqual(['/games/inner/a']);
  });

  describe('moved files', () => {
    async function withFiles() {
      const records = await create();
      const scans = ['a', 'b', 'c'].map((name) =>
        scanOf(`/games/${name}`, { hashes: hashesOf(name) }),
      );
      await records.store.save(games, scans);
      const [a = 0, b = 0] = (await listKnown(records.known, games)).map(({ id }) => id);
      const seedAt = async (path: string, root?: LibraryRoot) =>
        (await one(records, path, root))?.hashes?.sha1[0];
      return { records, a, b, seedAt };
    }
    const to = (path: string) => fileOf(path, { inode: 9n });

    test('can swap their paths', async () => {
      const { records, a, b, seedAt } = await withFiles();
      await records.store.move([
        { id: a, root: games, to: to('/games/b') },
        { id: b, root: games, to: to('/games/a') },
      ]);
      expect([await seedAt('/games/a'), await seedAt('/games/b')]).toEqual(['b', 'a']);
      expect(await records.known.inodesOf([a])).toEqual(new Map([[a, 9n]]));
    });

    test('can replace another file and move below another root', async () => {
      const { records, a, b, seedAt } = await withFiles();
      await records.store.move([
        { id: a, root: games, to: to('/games/c') },
        { id: b, root: videos, to: to('/videos/new') },
      ]);
      expect(await pathsOf(records)).toEqual(['/games/c']);
      expect([await seedAt('/games/c'), await seedAt('/videos/new', videos)]).toEqual(['a', 'b']);
      expect(await one(records, '/videos/new', videos)).toMatchObject({ name: 'new' });
    });
  });

  describe('the record of sets', () => {
    const sheet = [{ name: 'b', tracks: [{ number: 1, isAudio: false, start: 0 }] }];
    async function withSet() {
      const records = await create();
      const { identity } = fileOf('/games/a');
      await records.store.save(games, [
        scanOf('/games/a', { identity: { ...identity, sheet } }),
        scanOf('/games/b'),
        scanOf('/games/c'),
      ]);
      const files = await records.scanned.filesAt(games, ['/games/a', '/games/b']);
      const match = { match: null, tied: [3, 4], evidence: {}, setKey: 'k' };
      return { records, matches: files.map((file) => ({ ...match, file })) };
    }

    test('returns the sheets of a root, and the set with which each file was matched', async () => {
      const { records, matches } = await withSet();
      const { scanned, store } = records;
      expect(await scanned.sheets(games)).toEqual([{ path: '/games/a', files: sheet }]);
      expect(await scanned.sheets(videos)).toEqual([]);
      expect(await scanned.setKeys(games)).toEqual(new Map());
      await store.saveMatches(games, matches);
      await store.saveMatches(games, []);
      expect((await scanned.pathsInSet(games, 'k')).toSorted()).toEqual(['/games/a', '/games/b']);
      expect(await scanned.pathsInSet(videos, 'k')).toEqual([]);
      await store.saveHashes(games, fileOf('/games/b', { hashes: hashesOf('b') }));
      const keys = Object.fromEntries(await scanned.setKeys(games));
      expect(keys).toEqual({ '/games/a': 'k', '/games/b': '' });
      expect(await one(records, '/games/b')).toMatchObject({ setKey: '', hashes: hashesOf('b') });
      await store.save(games, [scanOf('/games/a')]);
      expect(await one(records, '/games/a')).toMatchObject({ setKey: null });
      expect(await scanned.sheets(games)).toEqual([]);
    });

    test('ignores matches of files hashed meanwhile, and drops hashes for new tracks', async () => {
      const { records, matches } = await withSet();
      const { scanned, store } = records;
      await store.saveHashes(games, fileOf('/games/b', { hashes: hashesOf('b') }));
      await store.saveMatches(games, matches);
      expect(await scanned.pathsInSet(games, 'k')).toEqual(['/games/a']);
      const [file] = await scanned.filesAt(games, ['/games/b']);
      const tracks = [1, 2].map((number) => ({ number, isAudio: true, size: 1, hashes: null }));
      if (file !== undefined && matches[0] !== undefined) {
        await store.saveMatches(games, [{ ...matches[0], file, tracks }]);
      }
      expect(await one(records, '/games/b')).toMatchObject({ hashes: null, identity: { tracks } });
    });

    test('records for each root that its sets are matched, until a file changes', async () => {
      const { records } = await withSet();
      const { scanned, store } = records;
      const state = await scanned.stateOf(games);
      expect(state.areSetsMatched).toBe(false);
      await store.markSetsMatched(games, state.version);
      expect(await scanned.stateOf(games)).toEqual({ ...state, areSetsMatched: true });
      expect((await scanned.stateOf(videos)).areSetsMatched).toBe(false);
      await store.save(games, [scanOf('/games/d')]);
      expect((await scanned.stateOf(games)).areSetsMatched).toBe(false);
    });
  });

  test('records whether a root was scanned, and the version it was matched with', async () => {
    const { store, scanned } = await create();
    await store.save(games, [scanOf('/games/a')]);
    expect(await scanned.wasScanned(games)).toBe(false);
    await store.markScanned(games);
    await store.markScanned(games);
    expect([await scanned.wasScanned(games), await scanned.wasScanned(videos)]).toEqual([
      true,
      false,
    ]);
    expect(await scanned.matchedVersion(games)).toBe('');
    await store.markMatched(games, '1-0');
    await store.markMatched(games, '2-0');
    await store.markMatched(videos, '3-0');
    expect(await scanned.matchedVersion(games)).toBe('2-0');
  });
}
