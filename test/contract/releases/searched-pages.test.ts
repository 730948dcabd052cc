import { expect, test } from 'vitest';
import type { ReleaseFilter } from '../../../src/core/releases/ports.ts';
import { systemClock as clock } from '../../../src/core/shared/clock.ts';
import { compareByCodePoint } from '../../../src/core/shared/text.ts';
import { SqlReleaseRecords } from '../../../src/sql/releases/release-records.ts';
import type { Trigrams } from '../../../src/sql/releases/trigram-sample.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';
import { addReleases } from '../suites/release-rows.ts';

const everything = { system: '', q: '', search: '', platform: '', region: '' };
/**
 * The names in `alike` are longer than the part that an index stores. The names differ only after
 * that part, and their order differs from the order of their ids.
 */
const alike = Array.from({ length: 20 }, (_, i) => `M common ${'x'.repeat(600)} ${99 - i}`);
const names = [
  // For "common", a trigram index also returns these names, although the names do not match. They
  // sort before all other names.
  ...Array.from({ length: 30 }, (_, i) => `- commo mmon ${i}`),
  ...Array.from({ length: 20 }, (_, i) => `A ${i} ${i % 2 === 0 ? 'Common' : 'Other'} (Japan)`),
  ...alike,
  ...Array.from({ length: 20 }, (_, i) => `Z ${i} common % "text" (Europe)`),
];
const texts = [
  'common',
  'COMMON',
  'mon (Jap',
  'com%jap',
  'text" (E',
  'xxx 8',
  'x%9',
  'm',
  'none of it',
];

/**
 * Trigram shares that make a search use the index, the start of the list, the first matches, or all
 * of them.
 */
const guesses = [0, 0.0001, 0.1, 0.5, 0.9].flatMap((share) =>
  [1, 10, 20, 60, 1_000_000, 200_000_000].map((all): Trigrams => {
    const containingPrefixes = (parts: readonly string[]) => parts.map(() => share);
    return {
      shares: async () => ({
        all,
        of: () => share,
        containingAll: () => share,
        containingPrefixes,
      }),
    };
  }),
);

/** Returns the same text as a search for words, for which the index has separate texts. */
function inWords(search: string): [Partial<ReleaseFilter>, number, number][] {
  if (/\s/.test(search)) return [];
  return [
    [{ search }, 0, 9],
    [{ search }, 3, 18],
    [{ search, system: 'games' }, 2, 10],
  ];
}

describeEngines('$name: pages of a search', ({ open }) => {
  test('are the same with every query plan', { tags: ['full'] }, async () => {
    const engine = await useEngine(open);
    const ids = await addReleases(
      engine,
      names.map((name) => ({ name })),
    );
    const inOrder = names
      .map((name, i) => ({ name, id: ids[i] ?? 0 }))
      .toSorted((a, b) => compareByCodePoint(a.name, b.name) || a.id - b.id);
    for (const text of texts) {
      const parts = text.toLowerCase().split('%');
      const isFound = ({ name }: { name: string }) =>
        new RegExp(parts.map((part) => part.replace(/[()]/g, '\\$&')).join('.*'), 'i').test(name);
      const expected = inOrder.filter(isFound);
      for (const trigrams of guesses) {
        const records = new SqlReleaseRecords({ engine, clock, trigrams });
        const pages: [Partial<ReleaseFilter>, number, number][] = [
          [{ q: text }, 0, 9],
          [{ q: text }, 3, 18],
          [{ q: text, system: 'games' }, 2, 10],
          [{ q: text, region: 'nowhere' }, 0, 5],
          [{ q: text, search: 'japan' }, 1, 4],
          ...(/[%]/.test(text) ? [] : inWords(text)),
        ];
        for (const [filter, offset, limit] of pages) {
          const page = await records.list({ ...everything, ...filter, offset, limit });
          const isMatch = ({ name }: { name: string }) =>
            !filter.region && (!filter.q || !filter.search || /japan/i.test(name));
          const wanted = expected.filter(isMatch).slice(offset, offset + limit);
          const what = JSON.stringify([filter, offset, limit, await trigrams.shares()]);
          expect(
            page.map(({ id }) => id),
            what,
          ).toEqual(wanted.map(({ id }) => id));
        }
        const newest = await records.list({
          ...everything,
          q: text,
          offset: 0,
          limit: 7,
          order: 'newest',
        });
        const byId = expected.map(({ id }) => id).toSorted((a, b) => b - a);
        expect(newest.map(({ id }) => id)).toEqual(byId.slice(0, 7));
      }
    }
  });

  test('contain only names that match all words', async () => {
    const engine = await useEngine(open);
    await addReleases(
      engine,
      names.map((name) => ({ name })),
    );
    for (const trigrams of guesses) {
      const records = new SqlReleaseRecords({ engine, clock, trigrams });
      const found = async (search: string) =>
        (await records.list({ ...everything, search, offset: 1, limit: 8 })).map(
          ({ name }) => name,
        );
      const sorted = names.toSorted(compareByCodePoint);
      expect(await found('common japan')).toEqual(
        sorted.filter((name) => /common \(japan/i.test(name)).slice(1, 9),
      );
      expect(await found('xxx common')).toEqual(alike.toSorted(compareByCodePoint).slice(1, 9));
      expect(await found('100% common')).toEqual([]);
    }
  });
});
