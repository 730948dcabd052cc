import { expect, test } from 'vitest';
import type { LibraryRoot } from '../../src/core/library/library-file.ts';
import { systemClock as clock } from '../../src/core/shared/clock.ts';
import { sqlLibraryRecords, sqlRootHosts } from '../../src/sql/library/library-records.ts';
import { listKnown } from '../support/data/known-files.ts';
import { describeEngines } from './fixtures/engines.ts';
import { useEngine } from './fixtures/use-engine.ts';
import { games, scanOf } from './suites/library-files.ts';

describeEngines('$name: the table of root hosts', ({ open }) => {
  async function useHosts() {
    const engine = await useEngine(open);
    const [one, other] = ['one', 'other'].map((host) => sqlRootHosts({ engine, host }));
    if (one === undefined || other === undefined) throw new Error('two hosts');
    return { engine, one, other, ...sqlLibraryRecords({ engine, clock }) };
  }

  test('assigns a root to the first host until a release or a takeover', async () => {
    const { one, other } = await useHosts();
    expect(await one.list()).toEqual([]);
    expect(await one.claim(games, { fromOthers: false })).toBeNull();
    expect(await one.claim(games, { fromOthers: false })).toBeNull();
    expect(await other.claim(games, { fromOthers: false })).toBe('one');
    expect(await one.list()).toEqual([{ path: games.path, host: 'one', isOwn: true }]);
    expect(await other.list()).toEqual([{ path: games.path, host: 'one', isOwn: false }]);
    await other.release(games);
    expect(await other.claim(games, { fromOthers: false })).toBe('one');
    expect(await other.claim(games, { fromOthers: true })).toBeNull();
    expect(await one.claim(games, { fromOthers: false })).toBe('other');
    await other.release(games);
    expect(await one.list()).toEqual([]);
    expect(await one.claim(games, { fromOthers: false })).toBeNull();
  });

  test('assigns a root scanned before hosts were recorded, and keeps its files', async () => {
    const { one, store, known } = await useHosts();
    await store.save(games, [scanOf(`${games.path}/a.iso`)]);
    await store.markScanned(games);
    expect(await one.claim(games, { fromOthers: false })).toBeNull();
    await store.markScanned(games);
    expect(await listKnown(known, games)).toHaveLength(1);
    expect(await one.list()).toHaveLength(1);
  });

  test('assigns a root to the host of the files that it takes over', async () => {
    const { one, store, known } = await useHosts();
    const inner: LibraryRoot = { path: `${games.path}/inner`, system: 'videos' };
    const path = `${inner.path}/a.iso`;
    await one.claim(games, { fromOthers: false });
    await store.save(games, [scanOf(path)]);
    const [file] = await listKnown(known, games);
    await store.handOver(games, [{ id: file?.id ?? 0, root: inner, path }]);
    expect(await one.list()).toEqual([
      { path: games.path, host: 'one', isOwn: true },
      { path: inner.path, host: 'one', isOwn: true },
    ]);
  });

  test('assigns a root to only one of many concurrent hosts', async () => {
    const { engine } = await useHosts();
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, at) => {
        return sqlRootHosts({ engine, host: `h${at}` }).claim(games, { fromOthers: false });
      }),
    );
    expect(responses.filter((host) => host === null)).toHaveLength(1);
    expect(new Set(responses).size).toBe(2);
  });

  test('records no host if only one host can use the database', async () => {
    const engine = await useEngine(open);
    const alone = sqlRootHosts({ engine, host: '' });
    expect(await alone.claim(games, { fromOthers: false })).toBeNull();
    await alone.release(games);
    expect(await alone.list()).toEqual([]);
    expect(await engine.read.selectFrom('library_root').selectAll().execute()).toEqual([]);
  });
});
