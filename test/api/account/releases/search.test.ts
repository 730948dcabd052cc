import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRealDat, importDat, importGames, oddTitles } from '../../../support/data/dats.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';
import { byBytes, isLike } from '../../../support/like.ts';
import { testSomeAndMany } from '../../../support/some-and-many.ts';

interface Item {
  id: number;
  name: string;
  system: string;
}

let app: TestApp;
let request: Requester;
/** The whole catalogue in list order, for comparison with search results. */
let everything: Item[] = [];

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  await importGames(app, [
    ...oddTitles,
    'Aa',
    'aab',
    'AAB',
    'baa',
    '',
    '%',
    '___',
    'é',
    'É',
    '\u{1F600}',
  ]);
  await importGames(app, ['Abc & Def', 'Twin', 'film'], 'Test - Video', 'videos');
  everything = await readAll();
});
afterAll(() => app.close());

async function list(query: Record<string, string | number>): Promise<Item[]> {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([k, v]): [string, string] => [k, String(v)]),
  );
  const response = await request('GET', `/api/releases?${parameters}`);
  expect(response.status).toBe(200);
  return response.json.items as Item[];
}

async function readAll(): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const page = await list({ limit: 500, offset: items.length });
    items.push(...page);
    if (page.length < 500) return items;
  }
}

const ids = (items: Item[]) => items.map((item) => item.id);

async function expectSameResults(q: string, system = ''): Promise<void> {
  const expected = everything.filter(
    (item) => isLike(item.name, `%${q}%`) && (system === '' || item.system === system),
  );
  expect([q, ids(await list({ q, system, limit: 500 }))]).toEqual([q, ids(expected)]);
}

const isFixed = (q: string) => !q.includes('\0') && [...q].length <= 1000 && q.isWellFormed();
/** Fragments of the titles, some with wildcards, changed case or inserted characters. */
const alphabet = [...new Set([...oddTitles.join(''), ...'%%%___aAbBéÉkKsS\u212A\u{1F600}'])];
const queries = fc.oneof(
  fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 6 }),
  fc
    .tuple(fc.constantFrom(...oddTitles), fc.nat(), fc.integer({ min: 1, max: 12 }), fc.nat())
    .map(([title, from, length, change]) => {
      const chars = [...title];
      const start = from % chars.length;
      const piece = chars.slice(start, start + length);
      const swap = ['', '%', '_', '%%', '_%'][change % 7];
      if (swap !== undefined) piece[change % piece.length] = swap;
      const text = piece.join('');
      return change % 2 === 0 ? text.toUpperCase() : text.toLowerCase();
    }),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);

describe('endpoint 10, GET /releases?q', () => {
  const anyText = 'agrees with SQL LIKE, with any text between wildcards, $count times';
  testSomeAndMany(anyText, { some: 100, many: 600 }, async (count) => {
    await fc.assert(
      fc.asyncProperty(queries.filter(isFixed), (q) => expectSameResults(q)),
      { numRuns: count },
    );
  });

  test.each([
    'abc',
    'ABC',
    'ab',
    'a',
    '%',
    '_',
    '___',
    '%%%',
    '100%',
    '100% O',
    'r_s',
    'under_score',
    "O'B",
    '"quoted"',
    '<tag>',
    'é',
    'É',
    'él',
    'ÉLA',
    'ela',
    'ファン',
    'ファ',
    'タジー ゼ',
    '\u{1F600}',
    'Zz \u{1F600}',
    ' \u{1F601} s',
    '\u212Ael',
    'kel',
    'Kelvin',
    'ss',
    'SSE',
    'ß',
    'i\u0307',
    'İst',
    'a\\b',
    '\\',
    'x'.repeat(900),
    'x'.repeat(901),
    '%x%x%x%',
    'a%d',
    'a_c',
    'a__ & d__',
    ' ',
    '  ',
    'NEAR(a b)',
    'name:abc',
    '"abc" OR "def"',
    'abc*',
    '-abc',
    '^abc',
    'a" OR 1=1 --',
  ])('agrees with LIKE for `%s`, in all systems and in one', async (q) => {
    await expectSameResults(q);
    await expectSameResults(q, 'games');
    await expectSameResults(q, 'videos');
  });

  test('agrees with LIKE after releases were renamed several times', async () => {
    const rename = async (id: number, name: string) => {
      const options = { token: app.adminToken, json: { name } };
      expect((await request('PATCH', `/api/releases/${id}`, options)).status).toBe(200);
    };
    const names = [
      'Quite another',
      'quite ANOTHER',
      '\u{1F601}\u{1F601}\u{1F601}',
      'É%_',
      '',
      'Twin',
    ];
    const changed = everything.slice(0, 12);
    for (const [index, { id, name: before }] of changed.entries()) {
      for (const name of [
        names[index % names.length] ?? '',
        before,
        names[(index + 1) % 6] ?? '',
      ]) {
        await rename(id, name);
      }
    }
    everything = await readAll();
    for (const { name } of changed) await expectSameResults([...name].slice(0, 5).join(''));
    for (const q of [
      'another',
      'TE ANO',
      '\u{1F601}\u{1F601}\u{1F601}',
      'É%_',
      'win',
      'abc',
      '100',
    ]) {
      await expectSameResults(q);
    }
  });

  test('finds nothing for NUL or over 1,000 characters, but searches for 1,000', async () => {
    const id = everything[0]?.id;
    const name = '\u{1F600}'.repeat(1000);
    const options = { token: app.adminToken, json: { name } };
    await request('PATCH', `/api/releases/${id}`, options);
    const found = async (q: string) => ids(await list({ q })).length;
    expect(await found('\u{1F600}'.repeat(1000))).toBe(1);
    expect(await found('\u{1F600}'.repeat(1001))).toBe(0);
    expect(await found('%'.repeat(1000))).toBe(everything.length);
    expect(await found('%'.repeat(1001))).toBe(0);
    for (const q of ['\0', 'a\0', '\0abc', 'abc\0']) expect(await found(q)).toBe(0);
  });
});

describe('endpoint 10, GET /releases', () => {
  test('orders releases by name in code point order, then by id, on all pages', async () => {
    const all = await readAll();
    const sorted = all.toSorted((a, b) => byBytes(a.name, b.name) || a.id - b.id);
    expect(ids(all)).toEqual(ids(sorted));
    for (const limit of [1, 3, 7]) {
      const pages: Item[] = [];
      while (pages.length < all.length)
        pages.push(...(await list({ limit, offset: pages.length })));
      expect(ids(pages)).toEqual(ids(all));
    }
  });

  test('agrees for `q` with SQL LIKE on the real PSP catalogue', {
    tags: ['full'],
  }, async (ctx) => {
    const path = findRealDat('Sony - PlayStation Portable.dat');
    if (path === null) return ctx.skip('the real DAT files are not on this machine');
    const real = await startTestApp();
    try {
      await importDat(real, path);
      request = createRequester(real.url);
      everything = await readAll();
      expect(everything.length).toBeGreaterThan(1000);
      for (const q of [
        'final fantasy',
        'FINAL',
        'of',
        'a%z',
        'the _',
        '(japan)',
        '(Disc _)',
        'é',
        '&',
      ]) {
        const expected = everything.filter((item) => isLike(item.name, `%${q}%`)).slice(0, 500);
        expect([q, ids(await list({ q, limit: 500 }))]).toEqual([q, ids(expected)]);
      }
    } finally {
      request = createRequester(app.url);
      await real.close();
    }
  });
});
