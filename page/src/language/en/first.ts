/** The texts of the first run. */
export const first = {
  title: 'Welcome to Catalog',
  open: 'Open Catalog',
  text: 'Three steps turn a folder of disc images into a library with names and covers.',
  signIn: 'Sign in with the admin password that the server printed when it first started.',
  waits: (name: string) =>
    `The catalogue is still empty, ${name}. It appears here as soon as an editor or admin fills it.`,
  dats: 'Import DATs',
  datsText:
    'A DAT lists the releases of a platform. You can also import zips and whole folders of DATs, for example from Redump or No-Intro.',
  datsDone: (releases: string) => `${releases} in the catalogue. You can import more DATs later.`,
  scan: 'Scan your files',
  scanText:
    'Catalog finds out which release each disc image in these folders is. Calculating checksums takes longer, but verifies each file.',
  covers: 'Download covers',
  coversText:
    'Covers are downloaded from thumbnails.libretro.com, unless another server is set. Those of all releases may take hours.',
  coversOfAll: 'Download covers for all releases',
  coversLater: 'Covers are downloaded for releases, so import a DAT first.',
};
