/** Texts about the export of a set for a device. */
export const sendTo = {
  open: 'Send to …',
  title: (set: string) => `Send “${set}” to …`,
  text: 'The download contains lists of games, playlists and covers, but no games.',
  device: 'Device or front end',
  romsPath: 'Folder of the games on the device',
  romsHint: (path: string) => `Leave empty for ${path}.`,
  checking: 'Checking what the device can open …',
  games: (games: number, shown: string) => (games === 1 ? '1 game' : `${shown} games`),
  missing: (releases: number, shown: string) =>
    releases === 1
      ? '1 release of the set is not in your library.'
      : `${shown} releases of the set are not in your library.`,
  gone: 'This set no longer exists.',
  nothing: 'No files of this set can be used on this device.',
  complete: 'Nothing is left out.',
  leftOut: (files: number, shown: string) =>
    files === 1 ? '1 file is left out' : `${shown} files are left out`,
  more: 'Show more',
  rest: (shown: string) => `${shown} more are listed in left_out.json in the download.`,
  download: 'Download',
  build: 'Build on a device',
  /**
   * Sentences by profile id. Empty in English, because the profiles contain the English sentences.
   */
  placements: {} as Readonly<Record<string, string>>,
};
