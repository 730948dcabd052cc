/** Texts about builds of sets in targets. */
export const builds = {
  text: 'A build copies the games of a set to a device, with lists, playlists and covers. It can be repeated, and undone. Other files stay as they are; lists of games are merged.',
  noTargets: 'No targets yet',
  noTargetsText:
    'A target is a folder in which you can build, such as one on a memory card. The operator of the server adds it with --target NAME=FOLDER.',
  noSets: 'No sets yet',
  noSetsText: 'Filter the catalogue, and save what you see as a set. Then you can build it.',
  set: 'Set',
  setGone: 'This set no longer exists, or is not shared with you. Choose another one.',
  device: 'Device or front end',
  target: 'Target',
  targetGone:
    'This target is not available: its server is not running, or no longer has it. Choose another one.',
  notConnected: 'Not connected. Connect the device before you build.',
  onHost: (host: string) => `On the server ${host}.`,
  notBuilt: 'No build yet.',
  /** `set` is null for a set that the user does not see, or that was deleted. */
  lastBuilt: (set: string | null, device: string, when: string) =>
    `Last: ${set === null ? 'a set that you do not see' : `“${set}”`} for ${device}, ${when}.`,
  files: (files: number, shown: string) => (files === 1 ? '1 file.' : `${shown} files.`),
  unfinished: 'Not complete.',
  adopt: 'Build even if the folder has other files. They stay as they are.',
  unpack: 'Take images out of archives that the device cannot read.',
  preview: 'Show plan',
  build: 'Build',
  undo: 'Undo build …',
  undoTitle: (target: string) => `Undo the build on “${target}”?`,
  undoText:
    'All files that builds wrote there are removed. Other files, and files that were changed since, stay.',
  undoNow: 'Undo build',
  /** The heading of a plan or a report. */
  of: (set: string, device: string, target: string) => `“${set}” for ${device} on “${target}”`,
  plan: 'Plan',
  result: 'Result',
  toCopy: (size: string) => `${size} to copy`,
  copied: (size: string) => `${size} copied`,
  free: (size: string) => `${size} were free`,
  freeNow: (size: string) => `${size} free`,
  lacking: (size: string) => `${size} more must be free for this build.`,
  missing: (releases: number, shown: string) =>
    releases === 1
      ? '1 release of the set is not in your library.'
      : `${shown} releases of the set are not in your library.`,
  /** The rows of a plan, by the field of the report. */
  rows: {
    add: 'Add',
    replace: 'Replace',
    rename: 'Rename',
    keep: 'Keep',
    remove: 'Remove',
    conflicts: 'Conflicts',
    unwritten: 'Failed',
    left_out: 'Left out',
  },
  more: 'Show more',
};
