/** The texts of the collection, of ownership and of downloads from the library. */
export const collection = {
  title: 'Collection',
  recent: 'Recently added',
  resume: 'Continue where you left off',
  undecided: (count: number, text: string) =>
    count === 1 ? `${text} undecided file` : `${text} undecided files`,
  damaged: (count: number, text: string) =>
    count === 1 ? `${text} damaged file` : `${text} damaged files`,
  failedJob: (name: string, when: string) => `${name} failed on ${when}`,
  ownedOf: (have: string, all: string) => `${have} of ${all} owned`,
  verifiedCount: (count: string) => `${count} verified`,
  allPlatforms: (count: string) => `Show all ${count} platforms`,
  owned: 'All owned releases',
  filterOwned: 'Filter and sort',
  fetchOwned: 'Download covers for what I own',
  coversProgress: (progress: string) => `Searching for covers: ${progress}`,
  coversStored: (count: number, text: string, of: string) =>
    count === 1 ? `Downloaded 1 cover for ${of}.` : `Downloaded ${text} covers for ${of}.`,
  coversComplete: 'Every owned release has a cover.',
  stored: 'In Downloads:',
  empty: 'No owned releases yet',
  emptyText: 'Releases appear here after your folders have been scanned.',
  /** Whether the user owns a release, and how this is known. */
  ownership: {
    verified: 'Owned, verified',
    manual: 'Owned, chosen by hand',
    serial: 'Owned, matched by serial',
    name: 'Owned, matched by name only',
    stored: 'In Downloads',
    missing: 'Missing',
  },
  badge: {
    verified: 'In your library, verified',
    manual: 'In your library, chosen by hand',
    serial: 'In your library, matched by serial',
    name: 'In your library, matched by name only',
    stored: 'In Downloads, not in your library',
    missing: 'Not in your library',
  },
  downloadFile: 'Download',
  downloadsOff:
    'Downloads from the library are turned off on this server. An admin can turn them on.',
  onOtherHost: (host: string) =>
    `This file is on the server ${host}. Download it from that server.`,
  downloadOrigins: { library: 'Library', archive: 'Archive', all: 'All library files, as a zip' },
};
