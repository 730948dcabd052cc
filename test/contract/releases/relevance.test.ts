import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReleaseQuery } from '../../../src/core/releases/ports.ts';
import { systemClock as clock } from '../../../src/core/shared/clock.ts';
import { compareByCodePoint } from '../../../src/core/shared/text.ts';
import { SqlReleaseRecords } from '../../../src/sql/releases/release-records.ts';
import { accents, articles, plainName, sortName } from '../../../src/sql/releases/sort-name.ts';
import type { Trigrams } from '../../../src/sql/releases/trigram-sample.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';
import { everything } from '../fixtures/use-releases.ts';
import { addReleases } from '../suites/release-rows.ts';

const words = ['zelda', 'ii', 'iii', 'links', 'the', 'of', '2', 'é', '-', 'cheats', 'quest', '%'];
const ends = ['', ' (USA)', ' (Europe) (Rev 1)', ' (Zelda)', ', The', ', The (Japan)', "'s", '_'];
/** Names of few words, so that many of them match the same search. */
const names = fc
  .sample(
    fc.tuple(
      fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...ends),
    ),
    { numRuns: 150, seed: 7 },
  )
  .map(([parts, end]) => `${parts.join(' ')}${end}`);
const texts = [
  ...['zelda', 'ZEL', 'ii', 'i', 'zelda ii', 'links  zelda', 'e', '2', '%', '_', 'zelda (u', 'q'],
  ...['the zelda', 'zelda, the', 'the', 'é', 'no match'],
];

/** Shares that make searches use an index, check releases one by one, or read all of them. */
const shares = [0, 0.01, 0.1, 0.9].flatMap((share) => [allAre(share, 1), allAre(share, 1_000)]);
const manyHits = allAre(0.01, 200_000_000);

function allAre(share: number, all: number): Trigrams {
  return {
    shares: async () => ({
      all,
      of: () => share,
      containingAll: () => share,
      containingPrefixes: (parts) => parts.map(() => share),
    }),
  };
}

interface Listed {
  readonly id: number;
  readonly name: string;
}

/** Returns the tier of a name that matches the search. */
function tierOf(name: string, search: string): number {
  const written = plainName(search.replace(/ +/g, ' '));
  const text = sortName(written);
  const key = sortName(name);
  const [title = ''] = key.split(' (');
  if (key === text || key.startsWith(`${text} (`)) return 1;
  if (key.startsWith(text)) return /^[a-z0-9\u0080-\uffff]/.test(key.slice(text.length)) ? 3 : 2;
  const parts = text.split(' ');
  let rest: string | undefined = title;
  for (const part of parts) rest = rest?.includes(part) ? after(rest, part) : undefined;
  if (rest !== undefined) return 4;
  return parts.every((part) => title.includes(part)) ? 5 : 6;
}

function after(text: string, part: string): string {
  return text.slice(text.indexOf(part) + part.length);
}

/** Sorts matches by relevance, as the documentation describes it. */
function ranked(found: readonly Listed[], search: string, owned: ReadonlySet<number>): Listed[] {
  const keyOf = ({ id, name }: Listed) => {
    const key = sortName(name);
    const [title = ''] = key.split(' (');
    const isCheat = Number(key.includes('cheat'));
    const numbers = [tierOf(name, search), isCheat, Number(!owned.has(id)), [...title].length];
    return { numbers, key, id };
  };
  return found.toSorted((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)];
    const place = one.numbers.findIndex((number, i) => number !== other.numbers[i]);
    if (place >= 0) return (one.numbers[place] ?? 0) - (other.numbers[place] ?? 0);
    return compareByCodePoint(one.key, other.key) || a.id - b.id;
  });
}

/** Sorts the first `max` names that begin with the words like `ranked`. The rest stays by name. */
function headRanked(found: readonly Listed[], search: string, max: number): Listed[] {
  const head = found
    .filter(({ name }) => tierOf(name, search) <= 3)
    .toSorted(
      (a, b) =>
        tierOf(a.name, search) - tierOf(b.name, search) ||
        compareByCodePoint(sortName(a.name), sortName(b.name)) ||
        a.id - b.id,
    )
    .slice(0, max);
  return [...ranked(head, search, new Set()), ...found.filter((each) => !head.includes(each))];
}

describeEngines('$name: releases sorted by relevance', ({ open }) => {
  async function useNames() {
    const engine = await useEngine(open);
    const ids = await addReleases(
      engine,
      names.map((name, i) => ({
        name,
        system: i % 3 === 0 ? 'videos' : 'games',
        ...(i % 4 === 0 && { platform: 'Sony - PSP' }),
      })),
    );
    const listWith = (parts: { trigrams?: Trigrams; maxRanked?: number }) => {
      const records = new SqlReleaseRecords({ engine, clock, ...parts });
      return (query: Partial<ReleaseQuery>) =>
        records.list({ ...everything, limit: 500, offset: 0, ...query });
    };
    /** Expects this order, in one page and in small pages. */
    const expectOrder = async (
      list: ReturnType<typeof listWith>,
      query: Partial<ReleaseQuery>,
      expected: readonly Listed[],
    ) => {
      const wanted = expected.map(({ name }) => name);
      const what = JSON.stringify(query);
      expect(
        (await list({ ...query, order: 'relevance' })).map(({ name }) => name),
        what,
      ).toEqual(wanted);
      const paged = [];
      for (let offset = 0; offset <= wanted.length; offset += 13) {
        paged.push(...(await list({ ...query, order: 'relevance', limit: 13, offset })));
      }
      expect(
        paged.map(({ name }) => name),
        what,
      ).toEqual(wanted);
      expect(await list({ ...query, order: 'relevance', offset: 2 ** 53 })).toEqual([]);
    };
    return { engine, ids, listWith, expectOrder };
  }

  test('are listed tier by tier, in pages that never overlap', async () => {
    const { listWith, expectOrder } = await useNames();
    for (const trigrams of shares) {
      const list = listWith({ trigrams });
      for (const search of texts) {
        for (const more of [{}, { system: 'videos' }, { platform: 'Sony PSP' }, { q: 'II' }]) {
          const byName = await list({ search, ...more });
          await expectOrder(list, { search, ...more }, ranked(byName, search, new Set()));
        }
      }
    }
  });

  test('begin with titles that begin with the search, games before cheat discs', async () => {
    const engine = await useEngine(open);
    const sorted = [
      ...['Final Fantasy VII (Europe) (Disc 1)', 'Final Fantasy VII (USA)'],
      ...['Final Fantasy VII - Advent (Japan)', 'Final Fantasy VIII (Europe)'],
      ...['Pokemon Red (USA)', 'Pokemon - Action Replay (Europe)', 'Pokemon Cheats (USA)'],
      ...['Zelda no Densetsu (Japan)', 'Zelda Cheat (Unl)', 'Legend of Zelda, The (USA)'],
    ];
    await addReleases(
      engine,
      sorted.toReversed().map((name) => ({ name })),
    );
    const records = new SqlReleaseRecords({ engine, clock });
    const found = async (search: string) => {
      const page = { limit: 9, offset: 0, order: 'relevance' } as const;
      return (await records.list({ ...everything, ...page, search })).map(({ name }) => name);
    };
    expect(await found('final fantasy vii')).toEqual(sorted.slice(0, 4));
    expect(await found('Pokémon')).toEqual([sorted[4], sorted[6], sorted[5]]);
    expect(await found('zelda')).toEqual(sorted.slice(7));
    expect(await found('the legend of zelda')).toEqual([sorted[9]]);
    expect(await found('VII fantasy')).toEqual([0, 1, 3, 2].map((i) => sorted[i]));
  });

  test('are sorted by name if the search has no words', async () => {
    const { listWith, expectOrder } = await useNames();
    const list = listWith({});
    for (const query of [{}, { search: '  ' }, { system: 'games' }, { q: 'zelda' }]) {
      await expectOrder(list, query, await list(query));
    }
  });

  test('are ranked only up to a limit of matches, and sorted by name beyond it', {
    tags: ['full'],
  }, async () => {
    const { listWith, expectOrder } = await useNames();
    const list = listWith({});
    for (const maxRanked of [1, 10, 20]) {
      for (const search of ['zelda', 'i', 'the zelda', '2']) {
        for (const more of [{}, { system: 'games' }]) {
          const byName = await list({ search, ...more });
          const areMany = byName.length > maxRanked;
          const expected = areMany
            ? headRanked(byName, search, maxRanked)
            : ranked(byName, search, new Set());
          // The sample must not report many matches if few releases match.
          for (const trigrams of areMany ? [...shares, manyHits] : [allAre(0, 1)]) {
            const listed = listWith({ trigrams, maxRanked });
            await expectOrder(listed, { search, ...more }, expected);
          }
        }
      }
    }
  });

  test('begin each tier with owned releases if requested', async () => {
    const { engine, ids, listWith, expectOrder } = await useNames();
    const owned = new Set(ids.filter((_, i) => i % 5 === 0));
    await engine.write(async (trx) => {
      const root = { path: '/games', system: 'games', scanned_at: null, problem: null };
      const { id: root_id } = await trx
        .insertInto('library_root')
        .values(root)
        .returning('id')
        .executeTakeFirstOrThrow();
      const texts = { identity: '{}', evidence: '{}', system: 'games', search: '' };
      const nothing = { serial: null, image_size: null, crc32: null, md5: null, sha1: null };
      for (const release_id of owned) {
        const path = `/games/${release_id}`;
        const found = { release_id, method: null, canonical: null, problem: null };
        const file = { path, name: path, size: 1, mtime_ns: 1, inode: release_id };
        const row = { root_id, ...file, ...texts, ...nothing, ...found };
        await trx.insertInto('library_file').values(row).execute();
      }
    });
    const list = listWith({});
    for (const search of ['zelda', 'i', 'zelda ii']) {
      const byName = await list({ search });
      await expectOrder(list, { search, ownedFirst: true }, ranked(byName, search, owned));
      await expectOrder(list, { search }, ranked(byName, search, new Set()));
    }
  });

  test('are sorted by a stored text that equals the one the program calculates', async () => {
    const engine = await useEngine(open);
    const parts = [...articles, ...accents.keys(), ' ', ' ', ', ', '(', '-', 'B', 'ß', '\u{1F3AE}'];
    const odd = fc
      .sample(fc.array(fc.constantFrom(...parts), { maxLength: 6 }), { numRuns: 400, seed: 3 })
      .map((each) => each.join(''));
    const all = [
      ...odd,
      ...articles.flatMap((each) => [`${each} Game`, `Game, ${each.toUpperCase()} (USA)`]),
      ...[
        '',
        ' ',
        'A',
        'The',
        'The ',
        ', The',
        'A (x)',
        'A - B',
        'Los Ángeles',
        'x, the',
        'x, Thé',
      ],
    ];
    await addReleases(
      engine,
      all.map((name) => ({ name })),
    );
    const rows = await engine.read.selectFrom('release').select(['name', 'sort_name']).execute();
    expect(rows).toHaveLength(all.length);
    expect(rows).toEqual(rows.map(({ name }) => ({ name, sort_name: sortName(name) })));
    expect(sortName('The Legend of Élan (USA)')).toBe('legend of elan (usa)');
    expect(sortName('Legend of Zelda, The - Links (USA)')).toBe('legend of zelda - links (usa)');
  });
});
