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
  all: (count: string) => `Show all ${count} versions`,
};
