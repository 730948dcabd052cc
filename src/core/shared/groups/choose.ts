import { languageOfRegion } from '../names/region-words.ts';
import { compareReleases, EditionReader, editionsOf, type Parts } from './editions.ts';
import type { Edition, GroupRelease, Traits } from './group.ts';
import { compareRevisions } from './revision-order.ts';

/** The criteria that choose editions of a game. */
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

/** Returns true if a set with this preference may lack releases that its rule selects. */
export function chooses(preference: Preference | null): boolean {
  return preference !== null && (preference.onePerGame || preference.among === 'library');
}

/**
 * The rules by which an edition is chosen, in order:
 * - `library`: the library has all its discs, else some of them (only `among: 'library'`);
 * - `avoid`: it has no avoided kind or label;
 * - `region`, `language`: it has the first preferred value that only one of two editions has;
 * - `revision`: it is the newest or oldest;
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
  return new EditionChooser(preference).explain(editionsOf(group), owned);
}

/** Maximum number of cached ranks. Real catalogues have 14,000. */
const maxKnownRanks = 50_000;

/**
 * Chooses the preferred editions of groups. One chooser for many groups is faster than one chooser
 * for each group, because it caches the ranks of releases.
 */
export class EditionChooser {
  readonly #preference: Preference;
  readonly #avoided: ReadonlySet<string>;
  readonly #regions: readonly string[];
  readonly #languages: readonly string[];
  /** Cached ranks, by the parts of releases. */
  readonly #ranks = new Map<Parts, Ranked>();
  readonly #marks = new WeakMap<Traits, string>();
  readonly #reader: EditionReader;

  /** Several choosers may share a reader, so that each name is parsed only once. */
  constructor(preference: Preference, reader = new EditionReader()) {
    this.#preference = preference;
    this.#reader = reader;
    this.#avoided = new Set(preference.avoid.map(lower));
    this.#regions = preference.regions.map(lower);
    this.#languages = preference.languages.map(lower);
  }

  /**
   * Returns the releases of the editions that `choose` chooses in a group. Returns null if
   * `knowsContents` is false, but only the contents of releases may decide.
   */
  chooseReleases(
    group: readonly GroupRelease[],
    owned: ReadonlySet<number>,
    { knowsContents }: { readonly knowsContents: boolean },
  ): readonly GroupRelease[] | null {
    if (!this.#preference.onePerGame) return this.#editionsIn(group, owned, knowsContents);
    let best: GroupRelease | null = null;
    let bestRanked: Ranked | null = null;
    for (const release of group) {
      const parts = this.#reader.partsOf(release);
      if (parts.disc !== null) return this.#editionsIn(group, owned, knowsContents);
      // Without discs, each release is an edition.
      if (this.#preference.among === 'library' && !owned.has(release.id)) continue;
      const ranked = this.#rankParts(parts);
      const order = bestRanked === null ? -1 : this.#compare(ranked, bestRanked);
      if (order < 0 || (order === 0 && best !== null && compareReleases(release, best) < 0)) {
        [best, bestRanked] = [release, ranked];
      }
    }
    if (best === null) return [];
    const isDecided = knowsContents || !group.some((other) => isTie(other, best));
    return isDecided ? [best] : null;
  }

  /** Chooses among the editions of a group; see `chooseReleases`. */
  #editionsIn(
    group: readonly GroupRelease[],
    owned: ReadonlySet<number>,
    knowsContents: boolean,
  ): readonly GroupRelease[] | null {
    if (!knowsContents && tiesIn(group).length > 0) return null;
    const chosen = this.#choose(this.#reader.editionsOf(group), owned);
    return [...new Set(chosen.flatMap(({ discs }) => discs.map(({ release }) => release)))];
  }

  /**
   * Chooses among editions that `editionsOf` returned. Also returns the rule by which each other
   * edition was rejected.
   */
  explain(editions: readonly Edition[], owned: ReadonlySet<number>): Choice {
    const chosen = this.#choose(editions, owned);
    const [best] = chosen;
    const rejected = editions.filter((edition) => !chosen.includes(edition));
    return {
      chosen,
      rejected: rejected.map((edition) => {
        if (best === undefined || !this.#isPossible(edition, owned)) {
          return { edition, by: 'library' };
        }
        return { edition, by: this.#decidingRule(best, edition, owned) };
      }),
    };
  }

  #choose(editions: readonly Edition[], owned: ReadonlySet<number>): readonly Edition[] {
    const possible = editions.filter((edition) => this.#isPossible(edition, owned));
    if (!this.#preference.onePerGame) return possible;
    const whole = possible.filter((edition) => ownsAll(edition, owned));
    const isLibrary = this.#preference.among === 'library';
    const [first, ...others] = isLibrary && whole.length > 0 ? whole : possible;
    if (first === undefined) return [];
    // Editions are ordered by name, so the first of equal ones is chosen.
    const isBetter = (one: Edition, other: Edition) =>
      this.#compare(this.#rank(one), this.#rank(other)) < 0;
    return [others.reduce((best, edition) => (isBetter(edition, best) ? edition : best), first)];
  }

  #isPossible({ discs }: Edition, owned: ReadonlySet<number>): boolean {
    return (
      this.#preference.among === 'catalogue' || discs.some(({ release }) => owned.has(release.id))
    );
  }

  #rankParts(parts: Parts): Ranked {
    let ranked = this.#ranks.get(parts);
    if (ranked === undefined) {
      ranked = this.#rank(parts);
      if (this.#ranks.size >= maxKnownRanks) this.#ranks.clear();
      this.#ranks.set(parts, ranked);
    }
    return ranked;
  }

  #rank({ traits, revision }: Pick<Edition, 'traits' | 'revision'>): Ranked {
    let marks = this.#marks.get(traits);
    if (marks === undefined) {
      marks = this.#marksOf(traits);
      this.#marks.set(traits, marks);
    }
    return { marks, revision, labels: traits.labels.length };
  }

  /** Returns the marks of the rules `avoid`, `region` and `language`, in this order. */
  #marksOf(traits: Traits): string {
    const { kinds, labels, regions } = traits;
    const isAvoided = [...kinds, ...labels].some((label) => this.#avoided.has(lower(label)));
    const ofRegions = marksFor(this.#regions, regions);
    return `${isAvoided ? '1' : '0'}${ofRegions}${marksFor(this.#languages, spokenIn(traits))}`;
  }

  /** Returns less than 0 if the first one is better, and more than 0 if the other one is. */
  #compare(one: Ranked, other: Ranked): number {
    if (one.marks !== other.marks) return one.marks < other.marks ? -1 : 1;
    const revisions = compareRevisions(one.revision, other.revision);
    if (revisions !== 0) return this.#preference.revision === 'newest' ? -revisions : revisions;
    return one.labels - other.labels;
  }

  #decidingRule(best: Edition, edition: Edition, owned: ReadonlySet<number>): ChoiceRule {
    const isLibrary = this.#preference.among === 'library';
    if (isLibrary && ownsAll(best, owned) && !ownsAll(edition, owned)) return 'library';
    const [one, other] = [this.#rank(best), this.#rank(edition)];
    const at = [...one.marks].findIndex((mark, place) => mark !== other.marks[place]);
    if (at === 0) return 'avoid';
    if (at > 0) return at <= this.#regions.length ? 'region' : 'language';
    if (compareRevisions(one.revision, other.revision) !== 0) return 'revision';
    return one.labels === other.labels ? 'name' : 'labels';
  }
}

/** The values by which an edition is compared, except its discs in the library and its name. */
interface Ranked {
  /**
   * A mark for `avoid`, followed by a mark for each preferred region and language. `0` is better
   * than `1`. The text that sorts first is best.
   */
  readonly marks: string;
  readonly revision: string;
  readonly labels: number;
}

function ownsAll({ discs }: Edition, owned: ReadonlySet<number>): boolean {
  return discs.every(({ release }) => owned.has(release.id));
}

/** Returns true if only the contents of two releases decide which one comes first. */
function isTie(one: GroupRelease, other: GroupRelease): boolean {
  return one.name === other.name && one.serial === other.serial && one !== other;
}

/**
 * Returns the releases of a group that have the same name and serial as another release of the
 * group.
 */
export function tiesIn(group: readonly GroupRelease[]): GroupRelease[] {
  const counts = new Map<string, number>();
  const keyOf = ({ name, serial }: GroupRelease) => `${name}\n${serial}`;
  for (const release of group) counts.set(keyOf(release), (counts.get(keyOf(release)) ?? 0) + 1);
  return group.filter((release) => (counts.get(keyOf(release)) ?? 0) > 1);
}

/**
 * Returns a text with `0` for each preferred value that `values` contains, and `1` for each other
 * preferred value.
 */
function marksFor(preferred: readonly string[], values: readonly string[]): string {
  const there = new Set(values.map(lower));
  return preferred.map((value) => (there.has(value) ? '0' : '1')).join('');
}

/** Returns the languages that an edition states, else those of its regions. */
function spokenIn({ languages, regions }: Traits): string[] {
  // A variant of a language, such as `Pt-BR`, also counts as the language.
  if (languages.length > 0) return languages.flatMap((one) => [one, one.split('-')[0] ?? one]);
  return regions.flatMap((region) => languageOfRegion.get(lower(region)) ?? []);
}

const lower = (text: string) => text.toLowerCase();
