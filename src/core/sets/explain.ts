import { type ChoiceRule, choose, type Preference } from '../shared/groups/choose.ts';
import type { Edition, GroupRelease } from '../shared/groups/group.ts';

/** The reasons why a release is in a set or not. */
export interface Explanation {
  readonly isInSet: boolean;
  /** True if the rule of the set selects the release. */
  readonly isSelected: boolean;
  /** The rule by which its edition was rejected; null if it is in the set, or not selected. */
  readonly rejectedBy: ChoiceRule | null;
  /** The editions of the game among the selected releases: the chosen ones, then the others. */
  readonly editions: readonly ExplainedEdition[];
  /** The ids of the releases of the game that the rule does not select. */
  readonly notSelected: readonly number[];
}

export interface ExplainedEdition {
  readonly edition: Edition;
  /** The rule by which it was rejected; null if it was chosen. */
  readonly rejectedBy: ChoiceRule | null;
}

/** The data from which a release of a set is explained. */
export interface Explained {
  readonly releaseId: number;
  /** All releases of its group. */
  readonly releases: readonly GroupRelease[];
  /** The ids of those that the rule selects. */
  readonly selected: ReadonlySet<number>;
  /** The ids of those that the library has. */
  readonly owned: ReadonlySet<number>;
  readonly prefer: Preference | null;
}

/** A set without a preference has all editions that its rule selects. */
const anyEdition: Preference = {
  onePerGame: false,
  regions: [],
  languages: [],
  revision: 'newest',
  avoid: [],
  among: 'catalogue',
};

/** Explains why a release is in a set or not. */
export function explain({ releaseId, releases, selected, owned, prefer }: Explained): Explanation {
  const candidates = releases.filter(({ id }) => selected.has(id));
  const { chosen, rejected } = choose(candidates, prefer ?? anyEdition, owned);
  const editions = [
    ...chosen.map((edition) => ({ edition, rejectedBy: null })),
    ...rejected.map(({ edition, by }) => ({ edition, rejectedBy: by })),
  ];
  const isOf = ({ edition }: ExplainedEdition) =>
    edition.discs.some(({ release }) => release.id === releaseId);
  const own = editions.filter(isOf);
  const isInSet = own.some(({ rejectedBy }) => rejectedBy === null);
  return {
    isInSet,
    isSelected: selected.has(releaseId),
    rejectedBy: isInSet ? null : (own[0]?.rejectedBy ?? null),
    editions,
    notSelected: releases.filter(({ id }) => !selected.has(id)).map(({ id }) => id),
  };
}
