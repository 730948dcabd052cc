import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testSomeAndMany } from '../support/some-and-many.ts';
import { game, xml } from './support/dat-text.ts';
import { type ImportsFixture, useImports } from './support/imports-fixture.ts';

const names = [
  'Pokémon: Édition Rouge',
  'POKEMON Red (USA, Europe)',
  'Metal Gear Acid 2 (Europe)',
  'Gear of Metal (Japan)',
  '100% Orange',
  '100 Orange',
  'Under_score',
  'Underscore',
  'ファイナルファンタジー 零式',
  'ファンタジーゼロ',
  'ﾌｧﾝﾀｼﾞｰ half',
  'Στίγμας',
  'straße',
  'Ｗｉｄｅ',
  'a\\b "quoted" O\'Brien',
  '\u{1F600} smile',
];
const serials = [
  'ULES-00288',
  'ULUS10042',
  'NPJH-50443, ULJM-05800',
  'BLES 01234',
  'SLPS-25050/1.00',
];

async function filled(): Promise<ImportsFixture> {
  const imports = await useImports();
  const rows = names.map((name, i) => {
    const serial = serials[i];
    return game(name, `s${i}`, serial === undefined ? {} : { serial });
  });
  await imports.take(xml(rows));
  await imports.take(xml(names.map((name, i) => game(`Alt ${i} ${name.slice(0, 3)}`, `s${i}`))));
  return imports;
}

/** An independent implementation of the search rule, in the simplest way. */
function finds(texts: readonly string[], query: string): boolean {
  const plain = (text: string) =>
    text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');
  const squeezed = (text: string) => plain(text).replace(/[^\p{L}\p{N}]/gu, '');
  const wordsOf = plain(query).split(/\s+/).filter(Boolean);
  const haystack = texts.map(plain).join('\n');
  const tight = texts.flatMap((text) => text.split(/[,;]/)).map(squeezed);
  return wordsOf.every(
    (word) =>
      haystack.includes(word) ||
      (/\d/.test(word) && tight.some((text) => text.includes(squeezed(word)))),
  );
}

const compared =
  'agrees with plain comparison, for $count pieces of names in any order, case and accents';
describe('the search for imported releases', () => {
  testSomeAndMany(compared, { some: 100, many: 400 }, async (count) => {
    const imports = await filled();
    const all = await imports.list();
    const texts = new Map(
      all.map(({ id, name, serial }) => {
        const i = names.indexOf(name);
        return [id, [name, `Alt ${i} ${name.slice(0, 3)}`, serial]] as const;
      }),
    );
    const letters = [...new Set(names.join(' '))].filter((one) => !/\d/.test(one));
    const piece = fc.oneof(
      fc
        .tuple(fc.constantFrom(...names), fc.nat(20), fc.integer({ min: 1, max: 8 }))
        .map(([name, from, length]) => [...name].slice(from, from + length).join('')),
      fc.string({ unit: fc.constantFrom(...letters, '%', '_'), minLength: 1, maxLength: 4 }),
    );
    const query = fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 1, 2))
      .map(([pieces, form]) => {
        const text = pieces.join(' ');
        return form === 0
          ? text
          : form === 1
            ? text.toUpperCase()
            : text.normalize('NFD').toLowerCase();
      })
      .filter((text) => text.trim() !== '' && !/\d/.test(text));
    await fc.assert(
      fc.asyncProperty(query, async (search) => {
        const expected = all.filter(({ id }) => finds(texts.get(id) ?? [], search));
        const found = await imports.list({ search });
        expect([search, found.map(({ name }) => name)]).toEqual([
          search,
          expected.map(({ name }) => name),
        ]);
      }),
      { numRuns: count },
    );
  });

  test.each([
    ['pokemon', ['POKEMON Red (USA, Europe)', 'Pokémon: Édition Rouge']],
    ['ÉDITION poké', ['Pokémon: Édition Rouge']],
    ['gear metal', ['Gear of Metal (Japan)', 'Metal Gear Acid 2 (Europe)']],
    ['metal gear 2 ac', ['Metal Gear Acid 2 (Europe)']],
    ['of', ['Gear of Metal (Japan)']],
    ['100%', ['100% Orange']],
    ['100', ['100 Orange', '100% Orange', 'POKEMON Red (USA, Europe)']],
    ['%', ['100% Orange']],
    ['_', ['Under_score']],
    ['r_s', ['Under_score']],
    ['ファンタジー', ['ファイナルファンタジー 零式', 'ファンタジーゼロ', 'ﾌｧﾝﾀｼﾞｰ half']],
    ['零式', ['ファイナルファンタジー 零式']],
    ['零', ['ファイナルファンタジー 零式']],
    ['wide', ['Ｗｉｄｅ']],
    ['ΣΤΊΓΜΑΣ', ['Στίγμας']],
    ['\u{1F600}', ['\u{1F600} smile']],
    ['ULES-00288', ['Pokémon: Édition Rouge']],
    ['ules00288', ['Pokémon: Édition Rouge']],
    ['ules 00288', ['Pokémon: Édition Rouge']],
    ['ules_00288', ['Pokémon: Édition Rouge']],
    ['ULUS-10042', ['POKEMON Red (USA, Europe)']],
    ['uljm05800', ['Metal Gear Acid 2 (Europe)']],
    ['NPJH-50443', ['Metal Gear Acid 2 (Europe)']],
    ['bles01234', ['Gear of Metal (Japan)']],
    ['SLPS25050', ['100% Orange']],
    ['SLPS-25050/1.00', ['100% Orange']],
    ['alt 6 und', ['Under_score']],
    ['P:', []],
    ['n:', ['Pokémon: Édition Rouge']],
    ['"quoted" OR', []],
    ['nothing of this', []],
  ])('finds the releases with matching names or serials for %s', async (search, expected) => {
    const imports = await filled();
    const found = (await imports.list({ search })).map(({ name }) => name);
    expect(found).toEqual(
      expected.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
    expect(
      await imports.catalog.releases.count({ system: '', q: '', platform: '', region: '', search }),
    ).toBe(expected.length);
  });
});

describe('the list of imported releases', () => {
  async function regions(): Promise<ImportsFixture> {
    const imports = await useImports();
    await imports.take(
      xml([
        game('Alpha (USA, Europe)', 'a'),
        game('Beta', 'b', { region: 'USA,Europe' }),
        game('Gamma', 'c', { region: 'Japan' }),
        game('alpha', 'd', { region: 'New Europe' }),
        game('Ärger', 'e'),
        game('\u{1F600}', 'f'),
        game('\u{1F601}', 'g', { region: 'europe' }),
      ]),
    );
    await imports.take(
      xml([game('Film', 'x', { region: 'USA' }), game('Alpha', 'y')], 'Other (UMD Video)'),
    );
    return imports;
  }

  test('is filtered by platform or by one of several regions in any case', async () => {
    const imports = await regions();
    const found = async (region: string) =>
      (await imports.list({ region })).map(({ name }) => name);
    expect(await found('Europe')).toEqual(['Alpha (USA, Europe)', 'Beta', '\u{1F601}']);
    expect(await found(' EUROPE ')).toEqual(['Alpha (USA, Europe)', 'Beta', '\u{1F601}']);
    expect(await found('USA')).toEqual(['Alpha (USA, Europe)', 'Beta', 'Film']);
    expect(await found('Eur')).toEqual([]);
    expect(await found('%')).toEqual([]);
    expect((await imports.list({ platform: 'other umd video' })).map(({ name }) => name)).toEqual([
      'Alpha',
      'Film',
    ]);
    expect(await imports.list({ platform: 'Other' })).toEqual([]);
  });

  test('has facets that count its releases, and letters that start at its offsets', async () => {
    const imports = await regions();
    const { releases } = imports.catalog;
    const base = { system: '', q: '', search: '', platform: '', region: '' };
    const filters = [
      {},
      { system: 'games' },
      { search: 'alpha' },
      { region: 'usa' },
      { q: 'a' },
      { search: 'no' },
    ];
    for (const filter of filters.map((one) => ({ ...base, ...one }))) {
      const list = await releases.list({ ...filter, limit: 500, offset: 0 });
      const facets = await releases.facets(filter);
      const sum = (all: readonly { releases: number }[]) =>
        all.reduce((n, one) => n + one.releases, 0);
      expect(sum(facets.systems)).toBe(list.length);
      expect(sum(facets.platforms)).toBe(list.length);
      for (const { name, releases: count } of facets.platforms) {
        const found = await releases.list({ ...filter, platform: name, limit: 500, offset: 0 });
        expect(found).toHaveLength(count);
      }
      const letters = await releases.initials(filter);
      expect(sum(letters)).toBe(list.length);
      for (const { initial, offset, releases: count } of letters) {
        const theirs = list.slice(offset, offset + count);
        expect(theirs.map(({ name }) => [...name][0])).toEqual(theirs.map(() => initial));
        expect([...(list[offset - 1]?.name ?? '')][0]).not.toBe(initial);
      }
    }
    const all = await releases.facets(base);
    expect(all.regions).toEqual([
      { name: 'Europe', releases: 2 },
      { name: 'Japan', releases: 1 },
      { name: 'New Europe', releases: 1 },
      { name: 'USA', releases: 3 },
      { name: 'europe', releases: 1 },
    ]);
  });
});
