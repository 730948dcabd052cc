import { languageOfRegion } from '../names/region-words.ts';
import { compareByCodePoint } from '../text.ts';
import { editionsOf } from './editions.ts';
import type { Edition, GroupRelease } from './group.ts';
import { compareRevisions } from './revision-order.ts';

/** Which edition of a game is preferred. */
export interface Preference {
  /** False to choose all editions. */
  readonly onePerGame: boolean;
  /** Regions, best first. `World` is a region of its own. Other regions come last. */
  readonly regions: readonly string[];
  /** Codes of languages such as `En`, best first. Other languages come last. */
  readonly languages: readonly string[];
  readonly revision: 'newest' | 'oldest';
  /** Kinds and labels of editions that are chosen only if there is no other edition. */
  readonly avoid: readonly string[];
  /** `library`: an edition is chosen only if the library has one of its discs. */
  readonly among: 'catalogue' | 'library';
}

/**
 * The rules by which an edition is chosen, in order:
 * - `library`: the library has all its discs, else some of them (only `among: 'library'`);
 * - `avoid`: it has no avoided kind or label;
 * - `region`, `language`: it has the first of the preferred ones that only one edition has;
 * - `revision`: the newest or oldest;
 * - `labels`: it has fewer other labels, such as `Virtual Console`;
 * - `name`: its name comes first.
 */
export const choiceRules = [
  'library',
  'avoid',
  'region',
  'language',
  'revision',
  'labels',
  'name',
] as const;
export type ChoiceRule = (typeof choiceRules)[number];

/** The chosen editions of a group, and the rule by which each other edition was rejected. */
export interface Choice {
  /** One edition, or all if `onePerGame` is false. Empty if the library has none of them. */
  readonly chosen: readonly Edition[];
  readonly rejected: readonly { readonly edition: Edition; readonly by: ChoiceRule }[];
}

/**
 * Chooses the preferred edition of a group, with all its discs. `owned` contains the ids of the
 * releases that the library has. The result does not depend on the order of the releases. A release
 * may belong to a chosen and to a rejected edition.
 */
export function choose(
  group: readonly GroupRelease[],
  preference: Preference,
  owned: ReadonlySet<number>,
): Choice {
  return chooseEdition(editionsOf(group), preference, owned);
}

/** Like `choose`, from editions that `editionsOf` returned. */
export function chooseEdition(
  editions: readonly Edition[],
  preference: Preference,
  owned: ReadonlySet<number>,
): Choice {
  const isPossible = (edition: Edition) =>
    preference.among === 'catalogue' || edition.discs.some(({ release }) => owned.has(release.id));
  const ranked = rankedBy(preference, owned);
  const possible = editions.filter(isPossible).map(ranked);
  const out = editions.filter((edition) => !isPossible(edition));
  const lost = out.map((edition) => ({ edition, by: 'library' as const }));
  if (!preference.onePerGame) {
    return { chosen: possible.map(({ edition }) => edition), rejected: lost };
  }
  const [first, ...others] = possible;
  if (first === undefined) return { chosen: [], rejected: lost };
  const best = others.reduce((one, other) => (compare(one, other) <= 0 ? one : other), first);
  const rejected = possible.filter((each) => each !== best);
  return {
    chosen: [best.edition],
    rejected: [
      ...rejected.map((each) => ({ edition: each.edition, by: decidingRule(best, each) })),
      ...lost,
    ],
  };
}

interface Ranked {
  readonly edition: Edition;
  /** By rule, in the order of the rules. The text that sorts first is best. */
  readonly ranks: readonly (readonly [ChoiceRule, string])[];
  readonly isNewest: boolean;
}

function rankedBy(preference: Preference, owned: ReadonlySet<number>) {
  const avoided = new Set(preference.avoid.map(lower));
  const regions = preference.regions.map(lower);
  const languages = preference.languages.map(lower);
  const isNewest = preference.revision === 'newest';
  return (edition: Edition): Ranked => {
    const { kinds, labels } = edition;
    const isAvoided = [...kinds, ...labels].some((label) => avoided.has(lower(label)));
    const lacksDisc = edition.discs.some(({ release }) => !owned.has(release.id));
    const ranks: Ranked['ranks'] = [
      ['library', preference.among === 'library' && lacksDisc ? '1' : '0'],
      ['avoid', isAvoided ? '1' : '0'],
      ['region', marksOf(regions, edition.regions)],
      ['language', marksOf(languages, spokenIn(edition))],
    ];
    return { edition, ranks, isNewest };
  };
}

/** Returns a text with `0` for each preferred value that is there, and `1` for each other one. */
function marksOf(preferred: readonly string[], values: readonly string[]): string {
  const there = new Set(values.map(lower));
  return preferred.map((value) => (there.has(value) ? '0' : '1')).join('');
}

/** Returns the languages that an edition states, else those of its regions. */
function spokenIn({ languages, regions }: Edition): string[] {
  // A variant of a language, such as `Pt-BR`, also counts as the language.
  if (languages.length > 0) return languages.flatMap((one) => [one, one.split('-')[0] ?? one]);
  return regions.flatMap((region) => languageOfRegion.get(lower(region)) ?? []);
}

function compare(one: Ranked, other: Ranked): number {
  const [rule, difference] = firstDifference(one, other);
  return rule === 'name' ? -1 : difference; // editions are ordered by name
}

function decidingRule(best: Ranked, other: Ranked): ChoiceRule {
  return firstDifference(best, other)[0];
}

function firstDifference(one: Ranked, other: Ranked): [ChoiceRule, number] {
  for (const [place, [rule, rank]] of one.ranks.entries()) {
    const difference = compareByCodePoint(rank, other.ranks[place]?.[1] ?? '');
    if (difference !== 0) return [rule, difference];
  }
  const [a, b] = [one.edition, other.edition];
  const revisions = compareRevisions(a.revision, b.revision);
  if (revisions !== 0) return ['revision', one.isNewest ? -revisions : revisions];
  const labels = a.labels.length - b.labels.length;
  return labels === 0 ? ['name', 0] : ['labels', labels];
}

const lower = (text: string) => text.toLowerCase();
