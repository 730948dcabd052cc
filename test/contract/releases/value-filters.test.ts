import { describe, expect, test } from 'vitest';
import { filterValues } from '../../../src/core/releases/filter-values.ts';
import {
  extraFacets,
  type Facet,
  type RecordFilter,
  type ReleaseQuery,
} from '../../../src/core/releases/ports.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { everything, useReleases } from '../fixtures/use-releases.ts';
import type { ReleaseRow } from '../suites/release-rows.ts';

const rows: ReleaseRow[] = [
  { name: 'Ape', region: 'USA', platform: 'Sega' },
  { name: 'Bee', region: 'USA, Europe', platform: 'Sega' },
  { name: 'The Cat', region: 'Japan', platform: 'Sony' },
  { name: 'dog', region: 'Japan', platform: 'Atari' },
  { name: 'Elk', region: 'Asia', system: 'videos' },
];
const metadata = [
  { genre: 'Action', publisher: 'Sega', release_date: '1996' },
  { genre: 'Action', publisher: 'Sega|Sony', release_date: '1996-05-01' },
  { genre: 'Puzzle', publisher: 'sega', release_date: '1999-12' },
  { genre: 'action', publisher: '', release_date: 'May 1996' },
];

/** The names that each filter finds. The releases 1 and 3 have a cover. */
const found: readonly [Partial<ReleaseQuery>, string[]][] = [
  [{ platform: 'Sega|Sony' }, ['Ape', 'Bee', 'The Cat']],
  [{ platform: 'sega|Nintendo' }, ['Ape', 'Bee']],
  [{ platform: 'Sega|Sony', region: 'japan|Europe' }, ['Bee', 'The Cat']],
  [{ region: 'Europe|Asia' }, ['Bee', 'Elk']],
  [{ region: '|Europe|' }, ['Bee']],
  [{ region: '|' }, ['Ape', 'Bee', 'Elk', 'The Cat', 'dog']],
  [{ genre: 'Action' }, ['Ape', 'Bee']],
  [{ genre: 'Action|Puzzle', region: 'USA|Japan' }, ['Ape', 'Bee', 'The Cat']],
  [{ genre: 'Act' }, []],
  [{ publisher: 'Sega' }, ['Ape']],
  [{ publisher: 'Sega||Sony' }, ['Bee']],
  [{ year: '1996' }, ['Ape', 'Bee']],
  [{ year: '1996|1999', search: 'cat' }, ['The Cat']],
  [{ year: 'May ' }, []],
  [{ genre: 'Action', year: '1999' }, []],
  [{ cover: 'have' }, ['Ape', 'The Cat']],
  [{ cover: 'missing', system: 'games' }, ['Bee', 'dog']],
  [{ cover: 'have', genre: 'Action', platform: 'Sega|Sony' }, ['Ape']],
  [{ library: 'have' }, ['Ape', 'Bee']],
  [{ library: 'verified' }, ['Bee']],
  [{ library: 'missing', region: 'Japan|Asia' }, ['Elk', 'The Cat', 'dog']],
  [{ library: 'verified', cover: 'have' }, []],
];

describe('the reader of filter values', () => {
  test('splits a text at single bars, and reads a double bar as a literal bar', () => {
    expect(filterValues('')).toEqual([]);
    expect(filterValues('a')).toEqual(['a']);
    expect(filterValues('a|b c|a|')).toEqual(['a', 'b c']);
    expect(filterValues('a||b|c|||d')).toEqual(['a|b', 'c|', 'd']);
    expect(filterValues('||||')).toEqual(['||']);
  });
});

async function addMetadata(engine: Engine, ids: readonly number[]): Promise<void> {
  await engine.write(async (trx) => {
    for (const [at, values] of metadata.entries()) {
      const row = { release_id: ids[at] ?? 0, title: '', manual: false, ...values };
      await trx.insertInto('release_meta').values(row).execute();
    }
  });
}

async function addFiles(engine: Engine, [named = 0, hashed = 0]: readonly number[]): Promise<void> {
  await engine.write(async (trx) => {
    const root = await trx
      .insertInto('library_root')
      .values({ path: '/games', system: 'games' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const files = [
      { path: '/games/a', release_id: named, method: 'name' as const },
      { path: '/games/b', release_id: hashed, method: 'name' as const },
      { path: '/games/c', release_id: hashed, method: 'sha1' as const },
    ];
    for (const file of files) {
      const texts = { name: file.path, system: '', search: '', identity: '{}', evidence: '{}' };
      const row = { root_id: root.id, ...texts, size: 1, mtime_ns: 1, inode: 1, ...file };
      await trx.insertInto('library_file').values(row).execute();
    }
  });
}

describeEngines('$name: a filter by values', ({ open }) => {
  async function useFiltered() {
    const parts = await useReleases(open, rows);
    const { engine, ids } = parts;
    await addMetadata(engine, ids);
    await addFiles(engine, ids);
    const coveredIds = ids.filter((_, at) => at === 0 || at === 2);
    const names = (query: Partial<ReleaseQuery>) => parts.names({ coveredIds, ...query });
    const filter = (given: Partial<RecordFilter>) => ({ ...everything, coveredIds, ...given });
    return { ...parts, names, filter };
  }

  test('finds releases by several values, in every order and on every page', async () => {
    const { names } = await useFiltered();
    for (const [query, expected] of found) {
      expect([query, await names(query)]).toEqual([query, expected]);
      const paged = [];
      for (let offset = 0; offset <= expected.length; offset++) {
        paged.push(...(await names({ ...query, limit: 1, offset })));
      }
      expect([query, paged]).toEqual([query, expected]);
      for (const order of ['newest', 'title', 'relevance'] as const) {
        expect([query, (await names({ ...query, order })).sort()]).toEqual([query, expected]);
      }
    }
  });

  test('counts as many releases as it lists', async () => {
    const { records, filter } = await useFiltered();
    for (const [query, expected] of found) {
      const conditions = filter(query);
      expect([query, await records.count(conditions)]).toEqual([query, expected.length]);
      const facets = await records.facets(conditions);
      const systems = facets.systems.reduce((sum, { releases }) => sum + releases, 0);
      expect([query, systems]).toEqual([query, expected.length]);
      for (const order of ['name', 'title'] as const) {
        const initials = await records.initials(conditions, order);
        const all = initials.reduce((sum, { releases }) => sum + releases, 0);
        expect([query, all]).toEqual([query, expected.length]);
      }
    }
  });

  test('counts as many releases for each facet value as it lists', async () => {
    const { records, names, filter } = await useFiltered();
    const plain = await records.facets(everything);
    expect(Object.keys(plain)).toEqual(['systems', 'platforms', 'regions']);
    const filters: Partial<RecordFilter>[] = [
      {},
      { platform: 'Sega|Sony' },
      { region: 'USA' },
      { genre: 'Action', year: '1996', cover: 'have' },
      { library: 'have', search: 'e' },
    ];
    for (const counting of ['with-own', 'without-own'] as const) {
      for (const given of filters) {
        const facets = await records.facets(filter(given), { counting, extra: extraFacets });
        const compare = async (own: keyof RecordFilter, value: string, releases: number) => {
          // With its own condition, a facet counts only releases that meet that condition too.
          const matching = counting === 'with-own' ? await names(given) : null;
          const listed = await names({ ...given, [own]: value });
          const counted = listed.filter((name) => matching === null || matching.includes(name));
          expect([counting, given, value, releases]).toEqual([
            counting,
            given,
            value,
            counted.length,
          ]);
        };
        const lists = [
          ['platform', facets.platforms],
          ['region', facets.regions],
          ['genre', facets.genres],
          ['year', facets.years],
          ['publisher', facets.publishers],
        ] as const;
        for (const [own, list = []] of lists) {
          for (const { name, releases } of list satisfies readonly Facet[]) {
            await compare(own, name.replaceAll('|', '||'), releases);
          }
        }
        for (const [value, releases] of Object.entries(facets.library ?? {})) {
          await compare('library', value, releases);
        }
        for (const [value, releases] of Object.entries(facets.covers ?? {})) {
          await compare('cover', value, releases);
        }
      }
    }
    const facets = await records.facets(filter({}), { extra: extraFacets });
    expect(facets).toMatchObject({
      genres: [
        { name: 'Action', releases: 2 },
        { name: 'Puzzle', releases: 1 },
        { name: 'action', releases: 1 },
      ],
      years: [
        { name: '1996', releases: 2 },
        { name: '1999', releases: 1 },
      ],
      publishers: [
        { name: 'Sega', releases: 1 },
        { name: 'Sega|Sony', releases: 1 },
        { name: 'sega', releases: 1 },
      ],
      library: { have: 2, missing: 3, verified: 1 },
      covers: { have: 2, missing: 3 },
    });
  });

  test('does not count the releases of an unfinished import', async () => {
    const { engine, records, ids, filter } = await useFiltered();
    const first_release_id = ids[2] ?? 0;
    await engine.write((trx) =>
      trx.insertInto('unfinished_import').values({ first_release_id, claim: 'x' }).execute(),
    );
    const facets = await records.facets(filter({}), { extra: extraFacets });
    expect(facets).toMatchObject({
      genres: [{ name: 'Action', releases: 2 }],
      years: [{ name: '1996', releases: 2 }],
      covers: { have: 1, missing: 1 },
    });
  });

  describe('the initials of the order by title', () => {
    test('are those of the listed titles, with and without a filter', async () => {
      const { records, names, filter } = await useFiltered();
      expect(await records.initials(filter({}), 'title')).toEqual([
        { initial: 'a', offset: 0, releases: 1 },
        { initial: 'b', offset: 1, releases: 1 },
        { initial: 'c', offset: 2, releases: 1 },
        { initial: 'd', offset: 3, releases: 1 },
        { initial: 'e', offset: 4, releases: 1 },
      ]);
      for (const given of [{}, { system: 'games' }, { search: 'o' }, { platform: 'Sony|Atari' }]) {
        const listed = await names({ ...given, order: 'title' });
        for (const { initial, offset } of await records.initials(filter(given), 'title')) {
          const start = listed[offset]?.replace('The ', '').slice(0, 1).toLowerCase();
          expect([given, start]).toEqual([given, initial]);
        }
      }
    });
  });
});

describeEngines('$name: a filter by values with many matches', ({ open }) => {
  test('finds exact pages and counts for common and rare values', { tags: ['full'] }, async () => {
    const many = Array.from({ length: 2_400 }, (_, at) => ({
      name: `Number ${String(at).padStart(4, '0')}`,
      platform: at % 3 === 0 ? 'Sega' : 'Sony',
    }));
    const { engine, ids, names, records } = await useReleases(open, many);
    const metadata = ids.map((release_id, at) => {
      return { release_id, title: '', manual: false, genre: at % 50 ? 'Action' : 'Rare' };
    });
    await engine.write((trx) => trx.insertInto('release_meta').values(metadata).execute());
    for (const genre of ['Action', 'Rare', 'Action|Rare']) {
      const expected = many.filter((_, at) =>
        genre.split('|').includes(at % 50 ? 'Action' : 'Rare'),
      );
      for (const [limit, offset] of [
        [10, 0],
        [10, 100],
        [500, 2_300],
      ] as const) {
        const page = expected.slice(offset, offset + limit).map(({ name }) => name);
        for (const order of ['name', 'title'] as const) {
          expect(await names({ genre, limit, offset, order })).toEqual(page);
        }
      }
      expect(await records.count({ ...everything, genre })).toBe(expected.length);
    }
    const coveredIds = ids.filter((_, at) => at % 2 === 0);
    const covered = { cover: 'have', coveredIds, platform: 'Sega|Atari' } as const;
    expect(await records.count({ ...everything, ...covered })).toBe(400);
    expect(await names({ ...covered, limit: 1, offset: 399 })).toEqual(['Number 2394']);
  });
});
