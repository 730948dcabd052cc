import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReleaseFilter } from '../../../src/core/releases/ports.ts';
import {
  type ReleaseRule,
  type SelectedSet,
  valuesOf,
} from '../../../src/core/shared/release-rule.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { everything } from '../fixtures/use-releases.ts';
import { type SetRelease, setOf, setReleases, today, useSetReleases } from './set-catalogue.ts';

describeEngines('$name: releases of a set', ({ open }) => {
  test('meet a condition on covers, however far apart the ids of the covers are', async () => {
    const { names, ids } = await useSetReleases(open);
    const [first = 0, second = 0] = ids;
    const highest = 9_000_000_000_000; // covers may have any number as their name
    const many = Array.from({ length: 2_500 }, (_, i) => 1_000 + i);
    const cover = (state: string) => ({ field: 'cover', is: state }) as const;
    for (const others of [[], [999], [highest], many, [...many, highest]]) {
      for (const covered of [[], [first], [second, first], ids]) {
        const coveredIds = [...others, ...covered];
        const count = async (rule: ReleaseRule) =>
          (await names({ set: setOf(rule), coveredIds })).length;
        const [have, missing] = [covered.length, ids.length - covered.length];
        expect(await count(cover('have'))).toBe(have);
        expect(await count(cover('missing'))).toBe(missing);
        expect(await count({ not: cover('have') })).toBe(missing);
        expect(await count({ not: cover('missing') })).toBe(have);
        expect(await names({ cover: 'have', coveredIds })).toHaveLength(have);
        expect(await names({ cover: 'missing', coveredIds })).toHaveLength(missing);
      }
    }
  });

  test('meet the conditions of the set on each field', async () => {
    const { names, ids } = await useSetReleases(open);
    const found = async (rule: ReleaseRule) =>
      (await names({ set: setOf(rule) })).map((name) => name.slice(0, 9)).join();
    const [tekken = 0, , ridge = 0] = ids;
    expect(await found({ field: 'system', is: 'videos' })).toBe('100% _odd,Film (Fr)');
    expect(await found({ field: 'system', in: ['videos', 'Games'] })).toBe('100% _odd,Film (Fr)');
    expect(await found({ field: 'platform', is: 'sony playstation' })).toBe('Tekken 3 ,Tekken 3 ');
    expect(await found({ field: 'platform', in: ['UMD video', 'x'] })).toBe('Film (Fr)');
    expect(await found({ field: 'region', is: 'europe' })).toBe('Lumines I,Tekken 3 ');
    expect(await found({ field: 'region', in: ['World', ' japan '] })).toBe('Lumines (,Ridge Rac');
    expect(await found({ field: 'language', is: 'en' })).toBe('Lumines I,Ridge Rac,Tekken 3 ');
    expect(await found({ field: 'language', in: ['En-US', 'De'] })).toBe('Ridge Rac,Tekken 3 ');
    expect(await found({ field: 'language', is: 'Fr' })).toBe('Film (Fr),Tekken 3 ');
    expect(await found({ field: 'genre', is: 'FIGHTING' })).toBe('Tekken 3 ,Tekken 3 ');
    expect(await found({ field: 'genre', contains: 'arcade' })).toBe('Ridge Rac');
    expect(await found({ field: 'genre', is: 'Ärger' })).toBe('No platfo');
    expect(await found({ field: 'genre', contains: '%' })).toBe('');
    expect(await found({ field: 'developer', in: ['namco'] })).toBe('Tekken 3 ,Tekken 3 ');
    expect(await found({ field: 'publisher', is: 'Sony' })).toBe('Ridge Rac');
    expect(await found({ field: 'franchise', contains: 'ekke' })).toBe('Tekken 3 ,Tekken 3 ');
    expect(await found({ field: 'year', is: 2004 })).toBe('Ridge Rac');
    expect(await found({ field: 'year', from: 1999 })).toBe('Ridge Rac');
    expect(await found({ field: 'year', from: 1998, to: 1998 })).toBe('Tekken 3 ,Tekken 3 ');
    expect(await found({ field: 'year', in: [1998, 2004] })).toBe('Ridge Rac,Tekken 3 ,Tekken 3 ');
    expect(await found({ field: 'search', contains: '3 TEKKEN eur' })).toBe('Tekken 3 ');
    expect(await found({ field: 'search', contains: 'uljs19005' })).toBe('Lumines (');
    expect(await found({ field: 'library', is: 'have' })).toBe('Ridge Rac,Tekken 3 ,Tekken 3 ');
    expect(await found({ field: 'library', is: 'verified' })).toBe('Ridge Rac,Tekken 3 ');
    expect(await found({ field: 'library', is: 'missing' })).toBe(
      '100% _odd,Film (Fr),Lumines (,Lumines I,No platfo',
    );
    const coveredIds = [ridge, tekken, 999];
    const covered = async (rule: ReleaseRule) =>
      (await names({ set: setOf(rule), coveredIds })).map((name) => name.slice(0, 9)).join();
    expect(await covered({ field: 'cover', is: 'have' })).toBe('Ridge Rac,Tekken 3 ');
    expect(await covered({ field: 'cover', is: 'missing' })).toBe(
      '100% _odd,Film (Fr),Lumines (,Lumines I,No platfo,Tekken 3 ',
    );
    const both = setOf({ field: 'cover', in: ['have', 'missing', 'have'] });
    expect(await names({ set: both, coveredIds })).toHaveLength(setReleases.length);
    expect(await covered({ field: 'cover', in: [] })).toBe('');
    expect(await found({ field: 'cover', is: 'have' })).toBe('');
    expect(await found({ field: 'added_days', to: 0 })).toBe('Tekken 3 ');
    expect(await found({ field: 'added_days', to: 1 })).toBe('Ridge Rac,Tekken 3 ');
    expect(await found({ field: 'added_days', from: 1, to: 1 })).toBe('Ridge Rac');
    expect(await found({ field: 'added_days', from: 2 })).toBe('Ridge Rac,Tekken 3 ');
    expect(await found({ field: 'release_ids', in: [ridge, tekken, 999] })).toBe(
      'Ridge Rac,Tekken 3 ',
    );
    expect(await found({ field: 'release_ids', in: [] })).toBe('');
  });

  test('are restricted by a filter in lists, counts, facets and initials', async () => {
    const { names, records } = await useSetReleases(open);
    const set = setOf({ all: [{ field: 'platform', is: 'Sony - PSP' }] });
    expect(await names({ set, region: 'Europe' })).toEqual(['Lumines II (USA, Europe) (En,Es)']);
    expect(await names({ set, platform: 'UMD Video' })).toEqual([]);
    expect(await names({ set, order: 'newest', limit: 2, offset: 1 })).toEqual([
      'Lumines (Japan)',
      'Ridge Racer (World) (En-US+Ja)',
    ]);
    expect(await names({ set, library: 'missing', search: 'lumines japan' })).toHaveLength(1);
    expect(await names({ set, order: 'relevance', search: 'lumines ii' })).toHaveLength(1);
    expect(await records.count({ ...everything, set, q: 'Lum' })).toBe(2);
    const { platforms, systems } = await records.facets({ ...everything, set });
    expect([platforms, systems]).toEqual([
      [{ name: 'Sony - PSP', releases: 3 }],
      [{ name: 'games', releases: 3 }],
    ]);
    const others = { ...everything, set, platform: 'UMD Video', system: 'videos' };
    expect(await records.facets(others, { counting: 'without-own' })).toEqual({
      systems: [],
      platforms: [],
      regions: [],
    });
    expect(await records.initials({ ...everything, set })).toEqual([
      { initial: 'L', offset: 0, releases: 2 },
      { initial: 'R', offset: 2, releases: 1 },
    ]);
  });

  test('are exactly those that meet the rule, for any combination of conditions', async () => {
    const { engine: _engine, ids, names, records } = await useSetReleases(open);
    const coveredIds = ids.filter((id) => isCovered(id));
    await fc.assert(
      fc.asyncProperty(rules(ids), filters, async (rule, plain) => {
        const set = setOf(rule);
        const filter = { ...plain, coveredIds };
        const expected = setReleases
          .filter((release, i) => meets(rule, release, ids[i] ?? 0) && passes(plain, release))
          .map(({ name }) => name)
          .sort();
        expect(await names({ set, ...filter })).toEqual(expected);
        expect(await records.count({ ...everything, ...filter, set })).toBe(expected.length);
        const { systems } = await records.facets({ ...everything, ...filter, set });
        expect(systems.reduce((sum, { releases }) => sum + releases, 0)).toBe(expected.length);
      }),
      { numRuns: 150, seed: 35 },
    );
  });

  test('are found with rules of the maximum size', async () => {
    const { names, ids } = await useSetReleases(open);
    const not: ReleaseRule = { not: { field: 'genre', contains: 'x' } };
    const deep = [1, 2, 3, 4].reduce<ReleaseRule>((inner) => ({ not: { all: [inner] } }), not);
    const wide: ReleaseRule = { all: Array.from({ length: 990 }, () => not) };
    expect(await names({ set: setOf({ all: [deep, wide] }) })).toHaveLength(setReleases.length);
    const any: ReleaseRule = { any: Array.from({ length: 990 }, () => ({ not: deep })) };
    expect(await names({ set: setOf(any) })).toEqual([]);
    const many = Array.from({ length: 10_000 }, (_, i) => i + (ids[0] ?? 0));
    const set = setOf({ field: 'release_ids', in: many });
    expect(await names({ set })).toHaveLength(setReleases.length);
  });

  describe('the count of the releases of a set', () => {
    test('is cached until the catalogue changes, or the library if the rule uses it', async () => {
      const { records, engine, ids } = await useSetReleases(open);
      const about = {
        genre: setOf({ field: 'genre', is: 'fighting' }),
        library: setOf({ any: [{ field: 'library', is: 'missing' }] }),
      };
      const count = async (set = about.genre) => records.count({ ...everything, set });
      expect([await count(), await count(about.library)]).toEqual([2, 5]);
      await engine.write(async (trx) => {
        const [genre] = ids;
        // A direct change of the metadata changes no revision, so that the cached count differs
        // from a new one.
        await trx
          .updateTable('release_meta')
          .set({ genre: 'x' })
          .where('release_id', '=', genre ?? 0)
          .execute();
      });
      expect(await count()).toBe(2);
      await engine.write(async (trx) => {
        await trx
          .deleteFrom('library_file')
          .where('release_id', '=', ids[1] ?? 0)
          .execute();
      });
      expect([await count(), await count(about.library)]).toEqual([2, 6]);
      await engine.write(async (trx) => {
        await trx
          .updateTable('release')
          .set({ revision: 5 })
          .where('id', '=', ids[0] ?? 0)
          .execute();
      });
      expect(await count()).toBe(1);
    });

    test('is cached until the covers change if the rule uses covers', async () => {
      const { records, ids } = await useSetReleases(open);
      const count = (coveredIds: readonly number[], prefer: SelectedSet['prefer'] = null) =>
        records.count({
          ...everything,
          coveredIds,
          set: setOf({ field: 'cover', is: 'have' }, prefer),
        });
      const covered = ids.slice(0, 3);
      expect(await count(covered)).toBe(3);
      // The same array stands for the same covers, so that its change is not noticed.
      covered.push(ids[3] ?? 0);
      expect(await count(covered)).toBe(3);
      expect(await count([...covered])).toBe(4);
      const prefer = { ...{ onePerGame: true, regions: [], languages: [], revision: 'newest' } };
      const choosing = { ...prefer, avoid: [], among: 'catalogue' } as SelectedSet['prefer'];
      expect(await count(ids.slice(0, 3), choosing)).toBe(2); // two of them are one game
      expect(await count([], choosing)).toBe(0);
    });
  });
});

type Plain = Pick<Partial<ReleaseFilter>, 'system' | 'platform' | 'region' | 'search' | 'library'>;

/** Filters of a list, besides its set. */
const filters: fc.Arbitrary<Plain> = fc.oneof(
  fc.constant({}),
  fc.constantFrom<Plain>(
    { system: 'games' },
    { system: 'videos' },
    { platform: 'Sony - PSP' },
    { region: 'Europe' },
    { search: 'tekken' },
    { library: 'have' },
    { library: 'missing' },
  ),
);

/** Rules whose conditions each find some of `setReleases`. */
function rules(ids: readonly number[]): fc.Arbitrary<ReleaseRule> {
  const condition = fc.constantFrom<ReleaseRule>(
    { field: 'system', is: 'games' },
    { field: 'system', in: ['videos'] },
    { field: 'platform', is: 'Sony - PSP' },
    { field: 'platform', in: ['Sony - PSP', 'UMD Video'] },
    { field: 'region', is: 'Europe' },
    { field: 'region', in: ['USA', 'World'] },
    { field: 'genre', contains: 'ING' },
    { field: 'developer', is: 'namco' },
    { field: 'year', from: 1999 },
    { field: 'year', to: 2000 },
    { field: 'search', contains: 'lumines' },
    { field: 'library', in: ['have', 'missing'] },
    { field: 'library', is: 'verified' },
    { field: 'library', is: 'missing' },
    { field: 'added_days', to: 1 },
    { field: 'cover', is: 'have' },
    { field: 'cover', is: 'missing' },
    { field: 'release_ids', in: ids.slice(1, 4) },
  );
  const { rule } = fc.letrec<{ rule: ReleaseRule }>((tie) => ({
    rule: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      condition,
      fc.record({ all: fc.array(tie('rule'), { maxLength: 4 }) }),
      fc.record({ any: fc.array(tie('rule'), { maxLength: 3 }) }),
      fc.record({ not: tie('rule') }),
    ),
  }));
  return rule;
}

/** Returns true if a release meets a rule. Supports the conditions of `rules`. */
function meets(rule: ReleaseRule, release: SetRelease, id: number): boolean {
  if ('all' in rule) return rule.all.every((part) => meets(part, release, id));
  if ('any' in rule) return rule.any.some((part) => meets(part, release, id));
  if ('not' in rule) return !meets(rule.not, release, id);
  const { name, system = 'games', platform = '', region = '', meta = {}, files = [] } = release;
  const values = valuesOf(rule);
  const year = Number.parseInt(meta.release_date ?? '', 10);
  switch (rule.field) {
    case 'system':
      return values.includes(system);
    case 'platform':
      return values.includes(platform);
    case 'region':
      return region.split(', ').some((each) => values.some((value) => equals(each, String(value))));
    case 'genre':
      return (meta.genre ?? '').toLowerCase().includes((rule.contains ?? '').toLowerCase());
    case 'developer':
      return values.some((value) => equals(meta.developer ?? '', String(value)));
    case 'year':
      return year >= (rule.from ?? 0) && year <= (rule.to ?? 9_999);
    case 'search':
      return name.toLowerCase().includes(rule.contains ?? '');
    case 'library':
      return values.some((state) => {
        if (state === 'missing') return files.length === 0;
        return files.some(({ method }) => state === 'have' || method === 'sha1');
      });
    case 'added_days':
      return files.some(({ added_at = '' }) => added_at >= dayBefore(today));
    case 'cover':
      return values.includes(isCovered(id) ? 'have' : 'missing');
    case 'release_ids':
      return values.includes(id);
    default:
      throw new Error(rule.field);
  }
}

function passes(filter: Plain, release: SetRelease): boolean {
  const { name, system = 'games', platform, region = '', files = [] } = release;
  return (
    [undefined, system].includes(filter.system) &&
    [undefined, platform].includes(filter.platform) &&
    (filter.region === undefined || region.split(', ').includes(filter.region)) &&
    name.toLowerCase().includes(filter.search ?? '') &&
    (filter.library === undefined || (filter.library === 'have') === files.length > 0)
  );
}

/** In the property of rules, every other release has a cover. */
const isCovered = (id: number) => id % 2 === 0;
const equals = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const dayBefore = (day: string) =>
  new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
