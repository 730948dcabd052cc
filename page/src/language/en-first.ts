/** The texts of the first run. */
export const first = {
  title: 'Welcome to Catalog',
  text: 'Three steps turn a folder of disc images into a library with names and covers.',
  signIn: 'Sign in as the admin whose password the first start printed.',
  waits: (name: string) =>
    `Nothing is here yet, ${name}. An editor or admin fills the catalogue; this page shows it as soon as they do.`,
  dats: 'Import DATs',
  datsText:
    'A DAT lists the releases of a platform. Get them from Redump or No-Intro, or as a copy of the libretro database; zips and whole folders are fine.',
  datsDone: (releases: string) => `${releases} in the catalogue. More DATs may follow at any time.`,
  scan: 'Scan your files',
  scanText:
    'Catalog looks into every disc image of these folders and finds out which release it is. Without checksums this takes a moment; with them it is proof.',
  covers: 'Fetch covers',
  coversText: 'The covers of the releases come from the cover source. This can go on for a while.',
  coversLater: 'Covers are fetched for releases, so import a DAT first.',
};
