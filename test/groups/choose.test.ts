import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choose, type Preference } from '../../src/core/shared/groups/choose.ts';
import { editionsOf } from '../../src/core/shared/groups/editions.ts';
import type { Edition, GroupRelease } from '../../src/core/shared/groups/group.ts';
import { compareRevisions } from '../../src/core/shared/groups/revision-order.ts';

const anything: Preference = {
  onePerGame: true,
  regions: [],
  languages: [],
  revision: 'newest',
  avoid: [],
  among: 'catalogue',
};

/** Returns releases with these names; the ids are their places, from 1. */
function group(...names: string[]): GroupRelease[] {
  return names.map((name, place) => ({ id: place + 1, name, region: '', serial: '', content: '' }));
}

const namesOf = (editions: readonly Edition[]) => editions.map(({ name }) => name);
const idsOf = (edition: Edition | undefined) => edition?.discs.map(({ release }) => release.id);

/** Returns the name of the chosen edition, and the rule by which each other one was rejected. */
function chosen(
  names: readonly string[],
  preference: Partial<Preference> = {},
  owned: readonly number[] = [],
) {
  const { chosen, rejected } = choose(
    group(...names),
    { ...anything, ...preference },
    new Set(owned),
  );
  const by = Object.fromEntries(rejected.map(({ edition, by }) => [edition.name, by]));
  return [namesOf(chosen)[0] ?? null, by];
}

describe('editions', () => {
  test('contain all discs of a release, in the order of their numbers', () => {
    const [edition, ...others] = editionsOf(
      group('A (USA) (Disc 10)', 'A (USA) (Disc 2) (Claire)', 'A (USA) (Disc 1) (Leon)'),
    );
    expect(others).toEqual([]);
    expect(edition).toMatchObject({ name: 'A (USA)', title: 'A' });
    expect(edition?.traits).toMatchObject({ regions: ['USA'], labels: [] });
    expect(edition?.discs.map(({ disc }) => disc)).toEqual([1, 2, 10]);
    expect(idsOf(edition)).toEqual([3, 2, 1]);
  });

  test('take a disc that was not revised from the nearest older revision', () => {
    const editions = editionsOf(
      group(
        ...['A (USA) (Disc 1)', 'A (USA) (Disc 2)', 'A (USA) (Disc 1) (Rev 1)'],
        ...['A (USA) (Disc 1) (Rev 2)', 'A (USA) (Disc 2) (Rev 2)', 'A (USA) (Disc 3) (Rev 2)'],
      ),
    );
    expect(editions.map((edition) => [edition.revision, ...(idsOf(edition) ?? [])])).toEqual([
      ['', 1, 2, 6],
      ['Rev 1', 3, 2, 6],
      ['Rev 2', 4, 5, 6],
    ]);
  });

  test('are separate for releases that differ in more than the disc', () => {
    const names = [
      'A (USA)',
      'A (USA) (Demo)',
      'A (Europe)',
      'A (USA) (En,Fr)',
      'A (USA) (Disc 1)',
    ];
    expect(editionsOf(group(...names)).map(({ discs }) => discs.length)).toEqual([1, 1, 1, 1, 1]);
  });

  test('are separate for two releases of the same name', () => {
    const twice = group('A (USA) (Disc 1)', 'A (USA) (Disc 1)', 'A (USA) (Disc 2)');
    expect(editionsOf(twice).map(idsOf)).toEqual([
      [1, 3],
      [2, 3],
    ]);
  });

  test('prefer the stored regions of a release to those in its name', () => {
    const [release] = group('A (USA)');
    const edited = { ...release, region: 'Europe, Asia' } as GroupRelease;
    expect(editionsOf([edited])[0]?.traits.regions).toEqual(['Europe', 'Asia']);
  });

  test('are found within 5 s in a group of 2,000 releases with different discs', () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `A (Disc ${i % 999}) (Rev ${i})`);
    const started = performance.now();
    expect(editionsOf(group(...names))).toHaveLength(2_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('the order of revisions', () => {
  test.each([
    ['', 'Rev 1'],
    ['Rev 1', 'Rev 2'],
    ['Rev 9', 'Rev 10'],
    ['Rev A', 'Rev B'],
    ['v1.00', 'v1.01'],
    ['v1.9', 'v1.10'],
    ['v1.1', 'v1.1a'],
  ])('puts the revision "%s" before "%s"', (one, other) => {
    expect(compareRevisions(one, other)).toBeLessThan(0);
    expect(compareRevisions(other, one)).toBeGreaterThan(0);
    expect(compareRevisions(one, one)).toBe(0);
  });
});

describe('the choice of an edition', () => {
  const names = [
    'A (Europe)',
    'A (Japan) (En,Ja)',
    'A (USA) (Demo)',
    'A (USA) (Rev 1)',
    'A (World)',
  ];

  test('follows the order of preferred regions, and treats World like any other region', () => {
    const regions = ['USA', 'World', 'Europe'];
    expect(chosen(names, { regions, avoid: ['demo'] })).toEqual([
      'A (USA) (Rev 1)',
      {
        'A (Europe)': 'region',
        'A (Japan) (En,Ja)': 'region',
        'A (USA) (Demo)': 'avoid',
        'A (World)': 'region',
      },
    ]);
    expect(chosen(names, { regions: ['Asia', 'Europe'] })[0]).toBe('A (Europe)');
    expect(chosen(['A (Japan)', 'A (World)'], { regions: ['Europe', 'Japan'] })[0]).toBe(
      'A (Japan)',
    );
  });

  test('prefers further regions of the list among editions with the same first one', () => {
    const both = ['A (USA)', 'A (USA, Europe)'];
    expect(chosen(both, { regions: ['USA', 'Europe'] })).toEqual([
      'A (USA, Europe)',
      { 'A (USA)': 'region' },
    ]);
    expect(chosen(both, { regions: ['USA'] })[0]).toBe('A (USA)');
  });

  test('follows the preferred languages, which a region implies if the name states none', () => {
    expect(chosen(names, { languages: ['Ja'] })[0]).toBe('A (Japan) (En,Ja)');
    expect(chosen(['A (Brazil)', 'A (USA)', 'A (Asia) (Pt-BR)'], { languages: ['Pt'] })).toEqual([
      'A (Asia) (Pt-BR)',
      { 'A (USA)': 'language', 'A (Brazil)': 'name' },
    ]);
  });

  test('takes the newest or the oldest revision', () => {
    const revisions = ['A (USA) (Rev 2)', 'A (USA) (Rev 10)', 'A (USA)'];
    expect(chosen(revisions)).toEqual([
      'A (USA) (Rev 10)',
      { 'A (USA) (Rev 2)': 'revision', 'A (USA)': 'revision' },
    ]);
    expect(chosen(revisions, { revision: 'oldest' })[0]).toBe('A (USA)');
  });

  test('prefers fewer labels, then the first name in alphabetical order', () => {
    expect(chosen(['A (USA) (Alt)', 'A (USA)'])).toEqual([
      'A (USA)',
      { 'A (USA) (Alt)': 'labels' },
    ]);
    expect(chosen(['A (USA)', 'A (Europe)'])).toEqual(['A (Europe)', { 'A (USA)': 'name' }]);
  });

  test('takes an avoided edition if there is no other', () => {
    expect(chosen(['A (USA) (Demo)'], { avoid: ['Demo'] })).toEqual(['A (USA) (Demo)', {}]);
    expect(chosen(['A (USA) (Demo 2)', 'A (Japan) (Trial)'], { avoid: ['Demo'] })[1]).toEqual({
      'A (USA) (Demo 2)': 'name',
    });
  });

  test('takes an edition in the library if requested, preferably with all discs', () => {
    const sets = ['A (USA) (Disc 1)', 'A (USA) (Disc 2)', 'A (Japan)', 'A (Europe)'];
    const library = { among: 'library', regions: ['USA', 'Japan'] } as const;
    expect(chosen(sets, library, [1, 3])).toEqual([
      'A (Japan)',
      { 'A (USA)': 'library', 'A (Europe)': 'library' },
    ]);
    expect(chosen(sets, library, [1, 2, 3])[0]).toBe('A (USA)');
    expect(chosen(sets, library, [1])[0]).toBe('A (USA)');
    expect(chosen(sets, library, [])[0]).toBeNull();
  });

  test('takes all editions of a game in the library if more than one is wanted', () => {
    const { chosen, rejected } = choose(
      group(...names),
      { ...anything, onePerGame: false, among: 'library' },
      new Set([1, 2]),
    );
    expect(namesOf(chosen)).toEqual(['A (Europe)', 'A (Japan) (En,Ja)']);
    expect(rejected.map(({ by }) => by)).toEqual(['library', 'library', 'library']);
  });

  test('does not depend on the order of the releases or on their ids', () => {
    const part = (...texts: string[]) => fc.constantFrom('', ...texts);
    const name = fc
      .tuple(
        part(' (USA)', ' (Europe)', ' (World)', ' (USA, Europe)', ' (Japan)'),
        part(' (En,Fr)', ' (Ja)'),
        part(' (Disc 1)', ' (Disc 2)', ' (Disc 2) (Bonus)'),
        part(' (Rev 1)', ' (Rev 2)', ' (v1.1)'),
        part(' (Demo)', ' (Beta)', ' (Alt)'),
      )
      .map((parts) => `A${parts.join('')}`);
    const release = fc.record({
      name,
      region: fc.constantFrom('', 'Europe'),
      serial: fc.constantFrom('', 'S-1'),
    });
    const releases = fc
      .array(release, { minLength: 1, maxLength: 12 })
      .map((list) => list.map((each, place) => ({ ...each, content: `rom ${place}` })));
    const preference = fc.record({
      onePerGame: fc.constant(true),
      regions: fc.shuffledSubarray(['USA', 'Europe', 'World', 'Japan']),
      languages: fc.shuffledSubarray(['En', 'Ja', 'Fr']),
      revision: fc.constantFrom('newest' as const, 'oldest' as const),
      avoid: fc.subarray(['Demo', 'Beta', 'Alt']),
      among: fc.constantFrom('catalogue' as const, 'library' as const),
    });
    const shuffled = releases.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length }),
        fc.subarray(list),
      ),
    );
    const numbered = (list: readonly Omit<GroupRelease, 'id'>[]) =>
      list.map((each, place) => ({ ...each, id: place + 1 }));
    fc.assert(
      fc.property(shuffled, preference, ([one, other, owned], wanted) => {
        const [before, after] = [one, other].map((list) => {
          const have = numbered(list).filter((each) =>
            owned.some(({ content }) => content === each.content),
          );
          const { chosen, rejected } = choose(
            numbered(list),
            wanted,
            new Set(have.map(({ id }) => id)),
          );
          const contentsOf = (edition: Edition) =>
            edition.discs.map(({ release }) => release.content);
          return [
            chosen.map(contentsOf),
            rejected.map(({ edition, by }) => [contentsOf(edition), by]),
          ];
        });
        expect(after).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });
});
