import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPreference } from '../../../src/core/sets/preference.ts';
import { choose, type Preference } from '../../../src/core/shared/groups/choose.ts';
import type { ReleaseRule } from '../../../src/core/shared/release-rule.ts';
import { groupKeyOf } from '../../../src/sql/releases/groups/group-key.ts';
import { SqlReleaseRecords } from '../../../src/sql/releases/release-records.ts';
import { describeEngines, type engines } from '../fixtures/engines.ts';
import { steppingClock } from '../fixtures/use-engine.ts';
import { everything } from '../fixtures/use-releases.ts';
import { insertRom } from '../suites/release-rows.ts';
import { type SetRelease, setOf, useSetReleases } from './set-catalogue.ts';

const psx = 'Sony - PlayStation';
const all: ReleaseRule = { all: [] };
const preferring = (prefer: object) => readPreference(prefer) as Preference;

/** A release, and a text that identifies its ROM. */
type Release = SetRelease & { readonly rom: string };

const game = (name: string, more: Partial<Release> = {}): Release => {
  return { name, platform: psx, rom: name, ...more };
};
const owned = { files: [{ method: 'sha1' }] } as const;

/** Opens a new database with releases. The records read few candidates at a time. */
async function useGames(
  open: (typeof engines)[number]['open'],
  releases: readonly Release[],
  candidatesPerRead = 3,
) {
  const { engine, ids } = await useSetReleases(
    open,
    releases.map(({ rom: _, ...release }) => release),
  );
  await engine.write(async (trx) => {
    for (const [i, { rom }] of releases.entries()) {
      const hashes = { crc32: '', md5: '', sha1: Buffer.from(rom).toString('hex') };
      await insertRom(trx, ids[i] ?? 0, { size: 1, ...hashes });
    }
  });
  const records = new SqlReleaseRecords({ engine, clock: steppingClock(), candidatesPerRead });
  const names = async (rule: ReleaseRule, prefer: object, filter: object = {}) => {
    const query = { ...everything, set: setOf(rule, preferring(prefer)), limit: 500, offset: 0 };
    return (await records.list({ ...query, ...filter })).map(({ name }) => name);
  };
  return { engine, ids, records, names };
}

describeEngines('$name: a set with one edition of each game', ({ open }) => {
  test('contains the preferred one of the editions that its rule selects', async () => {
    const { names } = await useGames(open, [
      game('A (Europe) (Disc 1)', { region: 'Europe' }),
      game('A (Europe) (Disc 2)', { region: 'Europe', ...owned }),
      game('A (USA)', { region: 'USA', ...owned }),
      game('A (Japan) (Demo)', { region: 'Japan' }),
      game('A (USA)', { region: 'USA', platform: 'Sega - Saturn', rom: 'of Sega' }),
      game('B (Japan) (Demo)', { region: 'Japan' }),
      game('No platform (USA)', { platform: undefined, region: 'USA', rom: '1' } as never),
      game('No platform (Japan)', { platform: undefined, region: 'Japan', rom: '2' } as never),
    ]);
    const europe = ['A (Europe) (Disc 1)', 'A (Europe) (Disc 2)'];
    const alone = ['B (Japan) (Demo)', 'No platform (Japan)', 'No platform (USA)'];
    const prefer = { regions: ['Europe', 'USA'] };
    expect(await names(all, prefer)).toEqual([...europe, 'A (USA)', ...alone]);
    expect(await names({ field: 'platform', is: psx }, prefer)).toEqual([...europe, alone[0]]);
    // The editions of other regions are no candidates.
    const usa: ReleaseRule = { not: { field: 'region', is: 'Europe' } };
    expect(await names(usa, prefer)).toEqual(['A (USA)', 'A (USA)', ...alone]);
    expect(await names(usa, { regions: ['Japan'], avoid: ['demo'] })).toEqual([
      ...['A (USA)', 'A (USA)'],
      ...alone,
    ]);
    const ofPsx: ReleaseRule = { all: [usa, { field: 'platform', is: psx }] };
    expect(await names(ofPsx, { regions: ['Japan'] })).toEqual(['A (Japan) (Demo)', alone[0]]);
    // Among the library, an edition of which it has all discs comes first.
    expect(await names(all, { ...prefer, among: 'library' })).toEqual(['A (USA)']);
    const library = { one_per_game: false, among: 'library' };
    expect(await names(all, library)).toEqual([...europe, 'A (USA)']);
    expect(await names(all, { one_per_game: false })).toHaveLength(8);
  });

  test('applies to lists, counts, facets and initials together with other filters', async () => {
    const { names, records } = await useGames(open, [
      game('A (Europe)', { region: 'Europe' }),
      game('A (USA)', { region: 'USA', ...owned }),
      game('B (USA)', { region: 'USA', meta: { genre: 'Racing' } }),
      game('C (Europe)', { region: 'Europe', system: 'videos' }),
      game('C (USA)', { region: 'USA', system: 'videos' }),
    ]);
    const prefer = { regions: ['Europe'] };
    const set = setOf(all, preferring(prefer));
    expect(await names(all, prefer, { region: 'USA' })).toEqual(['B (USA)']);
    expect(await names(all, prefer, { library: 'have' })).toEqual([]);
    expect(await names(all, prefer, { library: 'missing', limit: 1, offset: 1 })).toEqual([
      'B (USA)',
    ]);
    expect(await names(all, prefer, { order: 'newest' })).toEqual([
      ...['C (Europe)', 'B (USA)', 'A (Europe)'],
    ]);
    expect(await names(all, prefer, { order: 'relevance', search: 'usa' })).toEqual(['B (USA)']);
    expect(await names(all, prefer, { search: 'europe', system: 'videos' })).toHaveLength(1);
    expect(await records.count({ ...everything, set })).toBe(3);
    expect(await records.count({ ...everything, set, region: 'Europe' })).toBe(2);
    const facets = await records.facets({ ...everything, set }, { extra: ['genre', 'library'] });
    expect(facets).toEqual({
      systems: [
        { name: 'games', releases: 2 },
        { name: 'videos', releases: 1 },
      ],
      platforms: [{ name: psx, releases: 3 }],
      regions: [
        { name: 'Europe', releases: 2 },
        { name: 'USA', releases: 1 },
      ],
      genres: [{ name: 'Racing', releases: 1 }],
      library: { have: 0, missing: 3, verified: 0 },
    });
    expect(await records.initials({ ...everything, set })).toEqual(
      ['A', 'B', 'C'].map((initial, offset) => ({ initial, offset, releases: 1 })),
    );
    const streamed: string[] = [];
    for await (const batch of records.stream({ ...everything, set }, 1)) {
      streamed.push(...batch.map(({ name }) => name));
    }
    expect(streamed).toEqual(['B (USA)', 'C (Europe)']);
  });

  test('is chosen again after a change of the catalogue, or of the library it uses', async () => {
    const { names, engine, ids } = await useGames(open, [
      game('A (Europe)', { region: 'Europe' }),
      game('A (USA)', { region: 'USA', ...owned }),
    ]);
    const prefer = { regions: ['Europe'], among: 'library' };
    expect(await names(all, prefer)).toEqual(['A (USA)']);
    expect(await names(all, {})).toEqual(['A (Europe)']);
    await engine.write(async (trx) => {
      await trx.deleteFrom('library_file').execute();
    });
    expect(await names(all, prefer)).toEqual([]);
    await engine.write(async (trx) => {
      const change = { edited_group: 'other', revision: 5 };
      await trx
        .updateTable('release')
        .set(change)
        .where('id', '=', ids[0] ?? 0)
        .execute();
    });
    expect(await names(all, {})).toEqual(['A (Europe)', 'A (USA)']);
  });

  test('is chosen correctly for names with control characters', async () => {
    const odd = ['A\u001fB (Europe)', 'A\u001fB (USA)', 'C\u001e (USA)', 'C\u001e\u001f (Europe)'];
    const { names } = await useGames(
      open,
      odd.map((name) => game(name)),
      20,
    );
    expect(await names(all, { regions: ['Europe'] })).toHaveLength(3);
    const tab = await useGames(open, [
      game('A\tB\n (Europe)'),
      game('A\tB\n (USA)'),
      game('\u{1F3AE}'),
    ]);
    expect(await tab.names(all, { regions: ['USA'] })).toEqual(['A\tB\n (USA)', '\u{1F3AE}']);
  });

  test('equals a choice group by group, whatever the order of imports', async () => {
    await fc.assert(
      fc.asyncProperty(catalogues, ruleLists, async (orders, rules) => {
        const [one, other] = [await useGames(open, orders[0]), await useGames(open, orders[1])];
        for (const { rule, prefer } of rules) {
          const chosen = [];
          for (const [{ records, ids }, releases] of [
            [one, orders[0]],
            [other, orders[1]],
          ] as const) {
            const candidates = await records.list({
              ...{ ...everything, set: setOf(rule), limit: 500, offset: 0 },
            });
            const isCandidate = new Set(candidates.map(({ id }) => id));
            const expected = expectedIds(releases, ids, { isCandidate, prefer });
            const set = setOf(rule, prefer);
            const found = await records.list({ ...everything, set, limit: 500, offset: 0 });
            expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual(expected);
            expect(await records.count({ ...everything, set })).toBe(expected.length);
            const roms = expected.map((id) => releases[ids.indexOf(id)]?.rom ?? '');
            chosen.push(roms.sort());
          }
          expect(chosen[1]).toEqual(chosen[0]);
        }
      }),
      { numRuns: 5, seed: 41 },
    );
  });
});

/** Chooses group by group. Returns the ids in ascending order. */
function expectedIds(
  releases: readonly Release[],
  ids: readonly number[],
  {
    isCandidate,
    prefer,
  }: { readonly isCandidate: ReadonlySet<number>; readonly prefer: Preference },
): number[] {
  const all = releases.map((release, i) => ({
    ...{ serial: '', region: '', files: [], ...release, id: ids[i] ?? 0 },
    content: Buffer.from(release.rom).toString('hex'),
  }));
  const candidates = all.filter(({ id }) => isCandidate.has(id));
  const groups = Map.groupBy(candidates, (release) =>
    release.platform === undefined
      ? `${release.id}`
      : `${release.platform} ${groupKeyOf(release.name)}`,
  );
  const have = new Set(all.filter(({ files }) => files.length > 0).map(({ id }) => id));
  const chosen = [...groups.values()].flatMap((group) => choose(group, prefer, have).chosen);
  const discs = chosen.flatMap(({ discs }) => discs.map(({ release }) => release.id));
  return [...new Set(discs)].sort((a, b) => a - b);
}

const part = (...texts: string[]) => fc.constantFrom('', ...texts);
const releases: fc.Arbitrary<Omit<Release, 'rom'>> = fc
  .record({
    title: fc.constantFrom('A', 'The A', 'Bé', 'C - D'),
    parts: fc.tuple(
      part(' (USA)', ' (Europe)', ' (World)', ' (USA, Europe)'),
      part(' (En,Fr)', ' (Ja)'),
      part('', '', ' (Disc 1)', ' (Disc 2)'),
      part('', ' (Rev 1)', ' (Rev 2)'),
      part('', ' (Demo)', ' (Beta)'),
    ),
    platform: fc.constantFrom(psx, psx, psx, 'Sega - Saturn', undefined),
    region: fc.constantFrom('', '', 'Europe', 'USA'),
    serial: fc.constantFrom('', 'S-1'),
    files: fc.constantFrom([], [], [{ method: 'sha1' as const }]),
  })
  .map(({ title, parts, platform, ...more }) => ({
    ...{ name: `${title}${parts.join('')}`, ...more },
    ...(platform !== undefined && { platform }),
  }));
/** The same releases in two orders. */
const catalogues = fc
  .array(releases, { minLength: 1, maxLength: 30 })
  .map((list) => list.map((release, i) => ({ ...release, rom: `rom ${i}` })))
  .chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
const rules = fc.constantFrom<ReleaseRule>(
  all,
  { field: 'platform', is: psx },
  { not: { field: 'region', is: 'USA' } },
  { field: 'library', is: 'have' },
  { field: 'search', contains: 'europe' },
);
const preferences = fc
  .record({
    one_per_game: fc.constantFrom(true, true, true, false),
    regions: fc.shuffledSubarray(['USA', 'Europe', 'World']),
    languages: fc.shuffledSubarray(['En', 'Ja', 'Fr']),
    revision: fc.constantFrom('newest', 'oldest'),
    avoid: fc.subarray(['Demo', 'Beta']),
    among: fc.constantFrom('catalogue', 'catalogue', 'library'),
  })
  .map(preferring);
const ruleLists = fc.array(fc.record({ rule: rules, prefer: preferences }), {
  minLength: 6,
  maxLength: 6,
});
