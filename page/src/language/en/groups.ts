/** Texts about the group of a release: the versions of a game on one platform. */
export const groups = {
  title: 'Versions of this game',
  here: 'this release',
  disc: (disc: string) => `Disc ${disc}`,
  byEditor: 'put here by an editor',
  split: 'This is another game',
  splitNamed: (name: string) => `This is another game: ${name}`,
  splitDone: (name: string) => `${name} is now another game.`,
  join: 'Add a release to this game',
  joinText: (platform: string) =>
    `Choose a release of ${platform}. Its other discs are added with it.`,
  joinDone: (name: string) => `${name} now belongs to this game.`,
  /** The texts that say why a release is or is not in a set. */
  why: {
    title: 'Why this version',
    inSet: (set: string) => `In the set “${set}”:`,
    notInSet: (set: string) => `Not in the set “${set}”:`,
    only: 'the only version that its rule selects.',
    all: 'it has all versions that its rule selects.',
    chosen: 'chosen from these versions:',
    notSelected: 'its rule does not select this release.',
    instead: 'Chosen instead:',
    mine: 'In your sets',
    none: 'None of your sets chooses between versions of this game.',
    noneOwned: 'your library has none of the versions that its rule selects.',
    /**
     * Texts by the rule that rejected a version. The argument names the regions or languages of the
     * chosen version.
     */
    rejected: {
      library: () => 'your library has less of it than of the chosen one',
      avoid: () => 'has a label that the set avoids',
      region: (chosen: string) =>
        chosen ? `${chosen} is preferred` : 'another region is preferred',
      language: (chosen: string) =>
        chosen ? `${chosen} is preferred` : 'another language is preferred',
      revision: () => 'another revision is preferred',
      labels: () => 'has more labels than the chosen one',
      name: () => 'equal, but later by name',
    },
  },
  all: (count: string) => `Show all ${count} versions`,
};
