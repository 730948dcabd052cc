import { expect, test } from 'vitest';
import { Imports } from '../../../src/core/imports/imports.ts';
import type { LookupKeys } from '../../../src/core/library/match/lookup-keys.ts';
import { Releases } from '../../../src/core/releases/releases.ts';
import { systemClock as clock } from '../../../src/core/shared/clock.ts';
import { compareByCodePoint } from '../../../src/core/shared/text.ts';
import { readDat } from '../../../src/dats/read-dat.ts';
import { SqlImportRecords } from '../../../src/sql/imports/import-records.ts';
import { sqlLibraryRecords } from '../../../src/sql/library/library-records.ts';
import { SqlReleaseRecords } from '../../../src/sql/releases/release-records.ts';
import { namesNear } from '../../../src/sql/store/store-records.ts';
import { type RowText, xml } from '../../imports/support/dat-text.ts';
import { listKnown } from '../../support/data/known-files.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';
import { noCovers } from '../fixtures/use-releases.ts';
import { games, scanOf } from '../suites/library-files.ts';
import { addReleases } from '../suites/release-rows.ts';

const actor = { kind: 'system' } as const;
const all = { system: '', q: '', search: '', platform: '', region: '', offset: 0 };
const nothing = { sha1: [], md5: [], images: [], size: null, serials: [], gameCode: '', names: [] };

/** Returns `length` incompressible characters. Each has three bytes in UTF-8. */
function kanji(length: number, seed = 1): string {
  let state = seed;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCodePoint(0x4e00 + (state % 20_000));
  };
  return Array.from({ length }, next).join('');
}

/**
 * Names that have their first 999, 500 or 499 characters in common, and names that sort between
 * them.
 */
const names = ['b', 'a', '', '一', '\u{1F3AE}', 'z'].flatMap((end) =>
  [999, 500, 499].map((length) => `${kanji(length)}${end}`),
);

describeEngines('$name: a catalogue with long texts', ({ open }) => {
  async function useParts() {
    const parts = { engine: await useEngine(open), clock };
    const records = new SqlReleaseRecords(parts);
    const imports = new Imports({
      records: new SqlImportRecords(parts),
      readDat,
      findDats: async (texts) =>
        texts.map((text) => ({
          path: 'test.dat',
          size: text.length,
          async *read() {
            yield Buffer.from(text);
          },
        })),
      releasesWithCover: async () => new Set<number>(),
    });
    const watch = { signal: new AbortController().signal, onProgress() {}, onFile() {} };
    const take = async (rows: readonly RowText[], platform?: string) => {
      const { files } = await imports.importPaths([xml(rows, platform)], watch, actor);
      expect(files).toMatchObject([{ counts: { rows: rows.length } }]);
    };
    const library = sqlLibraryRecords(parts);
    const find = async (keys: Partial<LookupKeys>) =>
      (await library.catalogue.find([{ ...nothing, ...keys }]))[0];
    return { ...parts, records, take, library, find };
  }

  test('lists names with long common prefixes in order, and finds each of them', async () => {
    const { engine, records } = await useParts();
    const rows = [...names, ...names].map((name) => ({ name }));
    const ids = await addReleases(engine, rows);
    const inOrder = rows
      .map(({ name }, i) => ({ name, id: ids[i] ?? 0 }))
      .sort((a, b) => compareByCodePoint(a.name, b.name) || a.id - b.id);
    const expected = inOrder.map(({ id }) => id);
    const pages: number[] = [];
    for (let offset = 0; offset < expected.length; offset += 7) {
      for (const { id } of await records.list({ ...all, limit: 7, offset })) pages.push(id);
    }
    expect(pages).toEqual(expected);
    for (const [i, { name }] of inOrder.entries()) {
      const found = await records.list({ ...all, q: name, limit: 50 });
      expect(found.map(({ id }) => id)).toContain(expected[i]);
    }
  });

  test('finds the names near a text with the same long prefix', async () => {
    const { engine } = await useParts();
    await addReleases(
      engine,
      names.map((name) => ({ name })),
    );
    for (const text of [kanji(998), `${kanji(999)}a`, kanji(500), '', '\u{1F600}']) {
      const near = new Set((await namesNear(engine.read, text)).map(({ name }) => name));
      expect(near).toEqual(new Set(names)); // the limit of each side is higher
    }
  });

  test('matches names, ROMs and serials only with their own release', async () => {
    const { take, find } = await useParts();
    const mebibyte = `${kanji(300_000)} (x)`;
    const serial = kanji(1_300, 7);
    await take([
      { name: names[0] ?? '', serial, roms: [{ name: `${mebibyte}1`, size: 1 }] },
      { name: names[3] ?? '', roms: [{ name: `${mebibyte}2`, size: 1 }] },
    ]);
    const pointed = async (keys: Partial<LookupKeys>, by: 'name' | 'serial') =>
      (await find(keys))?.[by].map(({ releaseId }) => releaseId);
    expect(await pointed({ names: [names[0] ?? ''] }, 'name')).toEqual([1]);
    expect(await pointed({ names: [`${mebibyte}2`] }, 'name')).toEqual([2]);
    expect(await pointed({ names: [mebibyte, kanji(999), kanji(500)] }, 'name')).toEqual([]);
    expect(await pointed({ serials: [serial] }, 'serial')).toEqual([1]);
    expect(await pointed({ serials: [serial.slice(0, 500)] }, 'serial')).toEqual([]);
  });

  test('distinguishes long platform names and recognises them again', async () => {
    const { engine, take } = await useParts();
    const [one, other] = [`${kanji(5_000)}1`, `${kanji(5_000)}2`];
    for (const platform of [one, other, one]) await take([{ name: 'x', roms: [] }], platform);
    const known = await engine.read.selectFrom('platform').select('name').orderBy('id').execute();
    expect(known.map(({ name }) => name)).toEqual([one, other]);
  });

  test('stores, counts and finds releases with texts of the maximum lengths', async () => {
    const { engine, records } = await useParts();
    const releases = new Releases(records, noCovers);
    const [id = 0] = await addReleases(engine, [{ name: 'x' }]);
    const texts = {
      name: `${kanji(996)}\u{1F3AE}abc`,
      region: `${kanji(1_300)}, Japan`,
      serial: kanji(1_365, 3),
      description: kanji(21_845, 5),
      synopsis: kanji(21_845, 9),
    };
    await releases.edit(id, texts, actor);
    const { meta, ...found } = (await records.find(id)) ?? expect.fail('it is not found');
    expect({ ...found, synopsis: meta?.synopsis }).toMatchObject(texts);
    expect(await records.list({ ...all, region: 'japan', limit: 1 })).toHaveLength(1);
    expect(await records.list({ ...all, search: texts.serial, limit: 1 })).toHaveLength(1);
    expect(await records.count({ ...all, region: kanji(1_300) })).toBe(1);
    await releases.edit(id, { region: `${kanji(1_300)}, USA` }, actor);
    expect(await records.count({ ...all, region: 'japan' })).toBe(0);
  });

  test('lists files with long paths in order, each once', async () => {
    const { library } = await useParts();
    const paths = [kanji(1_300), kanji(501), kanji(500), kanji(499), 'b', 'a'].flatMap((folder) => [
      `/games/${folder}/z`,
      `/games/${folder}/a`,
    ]);
    const { known, scanned, store } = library;
    for (let twice = 0; twice < 2; twice += 1) {
      await store.save(
        games,
        paths.map((path) => scanOf(path)),
      );
    }
    const expected = paths.toSorted(compareByCodePoint);
    expect((await listKnown(known, games)).map(({ path }) => path)).toEqual(expected);
    const pages: string[] = [];
    for (let page = await scanned.pageAfter(games, '', 5); page.length > 0; ) {
      pages.push(...page.map(({ path }) => path));
      page = await scanned.pageAfter(games, pages.at(-1) ?? '', 5);
    }
    expect(pages).toEqual(expected);
    expect(await scanned.filesAt(games, [paths[0] ?? '', '/games/no'])).toHaveLength(1);
  });
});
