import { describe, expect, test } from 'vitest';
import type { Filter } from '../src/api/releases.ts';
import { Refusal } from '../src/api/request.ts';
import type { Preference } from '../src/api/sets.ts';
import { noFilters } from '../src/catalogue/catalogue-location.ts';
import { sets as german } from '../src/language/de/sets.ts';
import { sets as english } from '../src/language/en/sets.ts';
import { en } from '../src/language/en.ts';
import { PreferenceDraft, usualPreference } from '../src/sets/prefer/preference-draft.svelte.ts';
import { nameOfFilters } from '../src/sets/rule/name-of-filters.ts';
import { namedSets, type Rule } from '../src/sets/rule/rule.ts';
import { ruleOfFilters } from '../src/sets/rule/rule-of-filters.ts';
import { preferenceText, type RuleWords, ruleText } from '../src/sets/rule/rule-text.ts';
import { ConditionNode, treeOf, writeTree } from '../src/sets/rule/rule-tree.svelte.ts';
import { setFailure } from '../src/sets/set-failure.ts';

const words: RuleWords = {
  t: english,
  locale: 'en',
  number: String,
  quoted: (text) => `“${text}”`,
  system: (system) => ({ games: 'Games' })[system] ?? system,
  library: { have: 'Owned', missing: 'Missing', verified: 'Verified' },
  cover: { have: 'With cover', missing: 'Without cover' },
  setNames: new Map([[7, 'Favourites']]),
};
const filters = (filter: Partial<Filter>): Filter => ({ ...noFilters, set: '', ...filter });

describe('the rule of filters', () => {
  test.each<[Partial<Filter>, Rule]>([
    [{}, { all: [] }],
    [{ platform: 'Sony - PlayStation' }, { field: 'platform', is: 'Sony - PlayStation' }],
    [{ region: 'Europe|World' }, { field: 'region', in: ['Europe', 'World'] }],
    [{ genre: 'Action|A||B' }, { field: 'genre', in: ['Action', 'A|B'] }],
    [{ publisher: 'Sony' }, { field: 'publisher', is: 'Sony' }],
    [{ system: 'games' }, { field: 'system', is: 'games' }],
    [{ library: 'missing' }, { field: 'library', is: 'missing' }],
    [{ cover: 'have' }, { field: 'cover', is: 'have' }],
    [{ year: '1996' }, { field: 'year', is: 1996 }],
    [{ year: '1996|0097|x' }, { field: 'year', in: [1996, 97] }],
    [{ year: 'soon' }, { any: [] }],
    [{ search: '  final fantasy ' }, { field: 'search', contains: 'final fantasy' }],
    [{ search: ' ' }, { all: [] }],
    [
      { search: 'ace', platform: 'PSP', year: '2005', library: 'have' },
      {
        all: [
          { field: 'platform', is: 'PSP' },
          { field: 'library', is: 'have' },
          { field: 'year', is: 2005 },
          { field: 'search', contains: 'ace' },
        ],
      },
    ],
  ])('of %j is %j', (filter, rule) => {
    expect(ruleOfFilters(filters(filter), null)).toEqual(rule);
  });

  test('names the set whose releases are listed', () => {
    expect(ruleOfFilters(filters({ set: 'mine', region: 'Europe' }), 7)).toEqual({
      all: [
        { field: 'set', is: 7 },
        { field: 'region', is: 'Europe' },
      ],
    });
  });

  test('suggests a name that a set may have', () => {
    const name = (filter: Partial<Filter>) => nameOfFilters(filters(filter), words);
    expect(name({ platform: 'Sony - PlayStation', region: 'Europe|World', library: 'have' })).toBe(
      'PlayStation, Europe, World, Owned',
    );
    expect(name({ platform: 'PSP', cover: 'missing' })).toBe('PSP, Without cover');
    expect(name({ search: 'a/b' })).toBe('a-b');
    expect(name({ year: '1996' })).toBe('');
    expect([...name({ search: '🎮'.repeat(150) })]).toHaveLength(100);
  });
});

/** Rules of every form that the server takes. */
const rules: readonly Rule[] = [
  { all: [] },
  { any: [] },
  { field: 'platform', is: 'PSP' },
  { field: 'platform', in: ['PSP'] },
  { field: 'platform', in: [] },
  { field: 'region', in: ['Europe', 'Europe', 'World'] },
  { field: 'genre', contains: 'sports' },
  { field: 'year', from: 1995 },
  { field: 'year', to: 0 },
  { field: 'added_days', from: 0, to: 30 },
  { field: 'release_ids', in: [3] },
  { not: { field: 'tag', is: 'Demo' } },
  { not: { not: { field: 'year', in: [1995, 1996] } } },
  { not: { any: [{ not: { all: [] } }, { field: 'set', is: 7 }] } },
  {
    all: [
      { field: 'library', is: 'have' },
      {
        any: [
          { field: 'language', in: ['En', 'Pt-BR'] },
          { field: 'search', contains: 'x' },
        ],
      },
      { not: { not: { any: [{ field: 'system', is: 'games' }] } } },
    ],
  },
];

describe('the tree of a rule', () => {
  test.each(rules.map((rule) => [JSON.stringify(rule), rule] as const))('keeps %s', (_, rule) => {
    expect(JSON.stringify(writeTree(treeOf(rule)).rule)).toBe(JSON.stringify(rule));
    expect(writeTree(treeOf(rule)).incomplete).toEqual([]);
  });

  test('finds the nodes that a refusal names', () => {
    const root = treeOf({
      all: [
        { field: 'year', is: 1 },
        { not: { any: [{ field: 'year', is: 2 }, { not: { field: 'year', is: 3 } }] } },
      ],
    });
    const { keys } = writeTree(root);
    const [first, second] = root.parts;
    const inner = second?.kind === 'group' ? second.parts : [];
    expect(keys.get('rule')).toBe(root.key);
    expect(keys.get('rule.all[0]')).toBe(first?.key);
    expect(keys.get('rule.all[1]')).toBe(second?.key);
    expect(keys.get('rule.all[1].not')).toBe(second?.key);
    expect(keys.get('rule.all[1].not.any[0]')).toBe(inner[0]?.key);
    expect(keys.get('rule.all[1].not.any[1].not')).toBe(inner[1]?.key);
  });

  test('finds a condition that is the whole rule', () => {
    const root = treeOf({ not: { field: 'language', is: 'English' } });
    const { keys } = writeTree(root);
    expect([keys.get('rule'), keys.get('rule.not')]).toEqual(
      root.parts.flatMap(({ key }) => [key, key]),
    );
  });

  test('leaves out conditions that say nothing yet, without counting them', () => {
    const root = treeOf({ any: [{ field: 'platform', is: 'PSP' }] });
    const empty = new ConditionNode();
    const last = new ConditionNode();
    last.setField('genre');
    last.comparison = 'contains';
    last.text = 'race';
    root.parts = [empty, ...root.parts, last];
    const { rule, keys, incomplete } = writeTree(root);
    expect(rule).toEqual({
      any: [
        { field: 'platform', is: 'PSP' },
        { field: 'genre', contains: 'race' },
      ],
    });
    expect(incomplete).toEqual([empty]);
    expect(keys.get('rule.any[1]')).toBe(last.key);
  });

  test('turns a single condition into a group when another is added', () => {
    const root = treeOf({ field: 'platform', is: 'PSP' });
    const added = new ConditionNode();
    added.setField('region');
    added.setValues(['Europe', 'World']);
    root.add(added);
    expect(writeTree(root).rule).toEqual({
      all: [
        { field: 'platform', is: 'PSP' },
        { field: 'region', in: ['Europe', 'World'] },
      ],
    });
    root.remove(added);
    root.mode = 'any';
    expect(writeTree(root).rule).toEqual({ any: [{ field: 'platform', is: 'PSP' }] });
  });
});

describe('a rule in words', () => {
  test.each<[Rule, string]>([
    [{ all: [] }, 'every release'],
    [{ not: { all: [] } }, 'no release'],
    [{ field: 'region', in: ['Europe', 'World'] }, 'Region is Europe or World'],
    [{ field: 'platform', in: [] }, 'Platform is nothing'],
    [{ not: { field: 'tag', is: 'Unl' } }, 'Tag is not Unlicensed'],
    [{ field: 'language', is: 'De' }, 'Language is German'],
    [{ field: 'language', is: 'x' }, 'Language is x'],
    [{ field: 'library', is: 'have' }, 'Ownership is Owned'],
    [{ field: 'system', is: 'games' }, 'Type is Games'],
    [{ field: 'set', in: [7, 8] }, 'Set is Favourites or deleted set 8'],
    [{ field: 'release_ids', in: [1, 2, 3] }, 'Release is one of 3 chosen releases'],
    [{ field: 'year', from: 1995, to: 1998 }, 'Year is between 1995 and 1998'],
    [{ not: { field: 'year', from: 1995 } }, 'not: Year is at least 1995'],
    [{ field: 'added_days', to: 30 }, 'Days since it was added is at most 30'],
    [{ field: 'genre', in: [...'abcdefgh'] }, 'Genre is a, b, c, d, e or 3 more'],
    [
      {
        all: [
          { field: 'genre', contains: 'sports' },
          {
            not: {
              any: [
                { field: 'year', is: 1 },
                { field: 'year', is: 2 },
              ],
            },
          },
          { any: [{ field: 'year', is: 3 }] },
        ],
      },
      'All of: Genre contains “sports”; none of (Year is 1; Year is 2); Year is 3',
    ],
  ])('describes %j', (rule, text) => {
    expect(ruleText(rule, words)).toBe(text);
  });

  test('names sets wherever the rule does', () => {
    const rule: Rule = { all: [{ not: { field: 'set', in: [1, 2] } }, { field: 'set', is: 3 }] };
    expect(namedSets(rule)).toEqual([1, 2, 3]);
  });

  test('has a text for every text in German', () => {
    const keysOf = (value: object): string[] =>
      Object.entries(value).flatMap(([key, each]) =>
        typeof each === 'object' && key !== 'tags' ? [key, ...keysOf(each)] : [key],
      );
    expect(keysOf(german)).toEqual(keysOf(english));
  });
});

describe('a preference', () => {
  const usual = usualPreference('en-GB');

  test('is usual for the locale', () => {
    expect(usual.regions).toEqual(['Europe', 'World', 'USA', 'Japan']);
    expect(usualPreference('en-US').regions[0]).toBe('USA');
    expect(usualPreference('de').languages).toEqual(['De', 'En']);
  });

  test.each<Preference | null>([
    null,
    { ...usual, regions: [], avoid: ['x'], revision: 'oldest', among: 'library' },
    { ...usual, one_per_game: false, languages: ['Ja'] },
  ])('keeps %j', (preference) => {
    expect(new PreferenceDraft(preference, usual).toPreference()).toEqual(preference);
  });

  test('offers the usual one when it is turned on', () => {
    const draft = new PreferenceDraft(null, usual);
    draft.isOn = true;
    expect(draft.toPreference()).toEqual(usual);
  });

  test('is stated in words', () => {
    const some = { ...usual, regions: ['Europe', 'World'], languages: ['En'], avoid: ['Demo'] };
    expect(preferenceText(some, words)).toBe(
      'One per game: Europe first, then World; English first; newest revision; Demo only if there is no other',
    );
    expect(preferenceText(null, words)).toBe('');
    expect(preferenceText({ ...usual, one_per_game: false, among: 'library' }, words)).toBe(
      'owned editions only',
    );
  });
});

describe('a refusal of a set', () => {
  test.each<[number, string, string | null, string]>([
    [409, 'set already exists', 'name', english.nameTaken],
    [409, 'the set contains itself', null, english.circle],
    [422, 'name: must not be digits alone', 'name', english.nameRules],
    [
      422,
      'rule.any[1]: year must be a whole number from 0 to 9999',
      'rule.any[1]',
      english.wholeNumber('9999'),
    ],
    [
      422,
      'rule: language must be a language code such as En or Pt-BR',
      'rule',
      english.languageCode,
    ],
    [422, 'rule.all[0]: there is no set 12', 'rule.all[0]', english.setGone(12)],
    [
      422,
      'prefer.avoid[1]: must be at most 100 characters long',
      'prefer.avoid[1]',
      english.tooLong('100'),
    ],
    [422, 'prefer.regions[2]: is listed twice', 'prefer.regions[2]', en.refused('is listed twice')],
    [503, 'busy', null, en.busy],
  ])('%i %s concerns %s', (status, detail, path, text) => {
    expect(setFailure(new Refusal(status, detail), en, english)).toEqual({ path, text });
  });
});
