/** @module-tag full */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { choose, type Preference } from '../../src/core/shared/groups/choose.ts';
import type { GroupRelease } from '../../src/core/shared/groups/group.ts';
import { compareRevisions } from '../../src/core/shared/groups/revision-order.ts';
import { kindTags } from '../../src/core/shared/names/name-labels.ts';
import { parseReleaseName } from '../../src/core/shared/names/release-name.ts';

const real = join(import.meta.dirname, '../../../shared/data/dats/libretro-dats.tar.xz');
const skipReason = existsSync(real) ? '' : `(skipped: no ${real})`;

const regions = ['Europe', 'World', 'USA', 'Japan'];
const preference: Preference = {
  ...{ onePerGame: true, regions, languages: [], revision: 'newest', avoid: [] },
  among: 'catalogue',
};
/** The kinds that `--prefer-retail` avoids. */
const oddKinds = kindTags.filter((kind) => !['Unl', 'Alt', 'BIOS'].includes(kind));

/** Returns the names of the games of a DAT, in its order. */
function gamesOf(dat: string): string[] {
  const options = { maxBuffer: 2 ** 28, encoding: 'utf8' } as const;
  const text = execFileSync('tar', ['-xJOf', real, dat], options);
  return [...text.matchAll(/^game \(\n\tname "(.*)"$/gm)].map(([, name]) => name ?? '');
}

/**
 * Groups games as igir does without `cloneof`: games with the same title, of which each disc is a
 * game of its own. Groups of one game are left out, because there is nothing to choose.
 */
function groupsOf(names: readonly string[]): GroupRelease[][] {
  const groups = new Map<string, GroupRelease[]>();
  for (const [id, name] of [...new Set(names)].entries()) {
    const { title, disc, discTitle } = parseReleaseName(name);
    const key = [title.toLowerCase(), disc?.number, disc?.side, discTitle].join('\n');
    const release = { id, name, region: '', serial: '', content: '' };
    groups.set(key, [...(groups.get(key) ?? []), release]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

const rankOf = (region: string | undefined) => {
  const at = regions.indexOf(region ?? '');
  return at === -1 ? regions.length : at;
};

/** The order of igir's documentation for `--prefer-region`, and for two options more. */
function igirOrder({ withMore }: { readonly withMore: boolean }) {
  return (one: GroupRelease, other: GroupRelease): number => {
    const [a, b] = [parseReleaseName(one.name), parseReleaseName(other.name)];
    // "A game can only have one primary region. The first region detected is what is used."
    const byRegion = rankOf(a.regions[0]) - rankOf(b.regions[0]);
    if (byRegion !== 0 || !withMore) return byRegion || one.id - other.id;
    const isOdd = ({ kinds }: typeof a) => kinds.some((kind) => oddKinds.includes(kind));
    return (
      -compareRevisions(a.revision, b.revision) ||
      Number(isOdd(a)) - Number(isOdd(b)) ||
      one.id - other.id
    );
  };
}

/** Counts the groups by the rule by which igir's choice was rejected; `same` if it was chosen. */
function compare(groups: readonly GroupRelease[][], withMore: boolean): Record<string, number> {
  const used = withMore ? { ...preference, avoid: oddKinds } : preference;
  const counts: Record<string, number> = {};
  for (const group of groups) {
    const igirs = [...group].sort(igirOrder({ withMore }))[0];
    const { rejected } = choose(group, used, new Set());
    const isIgirs = ({ edition }: (typeof rejected)[number]) =>
      edition.discs.some(({ release }) => release === igirs);
    const by = rejected.find(isIgirs)?.by ?? 'same';
    counts[by] = (counts[by] ?? 0) + 1;
  }
  return counts;
}

const noIntro = [
  'no-intro/Nintendo - Game Boy.dat',
  'no-intro/Nintendo - Super Nintendo Entertainment System.dat',
  'no-intro/Sega - Mega Drive - Genesis.dat',
];
const redump = ['redump/Sega - Saturn.dat', 'redump/Sony - PlayStation.dat'];

// The figures are those of docs/sets.md, which explains each rule.
describe.skipIf(skipReason !== '')('the choices of igir and of this program', () => {
  test.each([
    { dats: noIntro, withMore: false, same: 1583, rest: { revision: 344, region: 78, labels: 41 } },
    { dats: noIntro, withMore: true, same: 1918, rest: { region: 67, avoid: 50, labels: 11 } },
    { dats: redump, withMore: false, same: 1726, rest: { revision: 278, labels: 25, region: 3 } },
    { dats: redump, withMore: true, same: 2020, rest: { labels: 9, avoid: 3 } },
  ])(
    'differ only by documented rules: $dats.0 and others, with more options: $withMore',
    ({ dats, withMore, ...expected }) => {
      const groups = dats.flatMap((dat) => groupsOf(gamesOf(dat)));
      expect(groups.length).toBeGreaterThan(2000);
      const { same, ...rest } = compare(groups, withMore);
      expect({ same, rest }).toEqual(expected);
    },
  );
});
