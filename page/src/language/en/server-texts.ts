/** Sentences for texts that the server writes in English, by their subject. */
export const server = {
  /** Why a job did not end as done. */
  job: {
    other: 'The job ended with an error.',
    stopped: 'It was stopped.',
    serverStopped: 'The server stopped while the job ran.',
    processDied: 'The job ended unexpectedly.',
    databaseAway: 'The database could not be reached.',
    busy: 'The database or the storage was busy for too long.',
    storageFull: 'The server’s disk is full.',
    otherHost: (host: string) =>
      `Only the server ${host} can continue this job, and it has not run for an hour.`,
    noCoverSource: 'No source of covers is set up. An admin can set --cover-source.',
    coverSourceAway:
      'The source of covers does not respond. Covers fetched so far are kept. Try again later.',
    noCatalogueSource: 'No source of the catalogue is set up. Import DATs as files.',
    downloadFailed:
      'The download failed. You can download DATs on another computer and import them as files.',
    nothingImported: 'Nothing in the downloaded file could be imported.',
    noBackupFolder: 'No folder for backups is set up. An admin can set --backup-to.',
    changedMeanwhile: 'Another import changed the catalogue meanwhile. Start this one again.',
  },
  /** Why a folder of the library cannot be scanned. */
  root: {
    other: 'This folder cannot be read.',
    missing: 'This folder does not exist. Check that its disk is mounted.',
    forbidden: 'Catalog may not read this folder. Check its permissions.',
    noFolder: 'This is not a folder. Correct the setting of the folders.',
    empty:
      'This folder is empty, although it contained files before. Check that its disk is mounted.',
    otherHost: (host: string) => `This folder belongs to the server ${host}, which alone scans it.`,
  },
  /** Why a file of the library is damaged or could not be read. */
  file: {
    other: 'This file is damaged or in a form that cannot be read.',
    cut: 'This file is incomplete: its end is missing.',
    damaged: 'This file is damaged.',
    empty: 'This archive contains no file.',
    encrypted: 'This archive is encrypted. Unpack it first.',
    volumes: 'This archive consists of several volumes. Unpack them first.',
    tooLarge: 'This archive is too large to be unpacked.',
    changed: 'This file changed while it was read. Scan again.',
    forbidden: 'Catalog may not read this file. Check its permissions.',
    missing: 'This file no longer exists.',
    disk: 'The disk failed while this file was read.',
  },
  /** Why a file cannot be imported. */
  import: {
    other: 'This file is not a valid DAT.',
    notDat: 'This file is not a DAT.',
    empty: 'This file is empty.',
    cut: 'This file is incomplete: its end is missing.',
    noDat: 'No DAT was found here.',
    nested: 'A zip inside a zip is not read. Unpack it first.',
    tooMany: 'This zip contains too many files. Unpack it, and import the folder.',
    encoding: 'This file contains bytes that are not valid text.',
  },
  /** How a stored file differs from its record. */
  finding: {
    other: 'This file differs from its record.',
    missing: 'This file is missing.',
    size: 'The size of this file has changed.',
    content: 'The content of this file has changed.',
    extra: 'This file was added by hand.',
    unreadable: 'This file cannot be read.',
  },
  /** Why an export leaves a file out. */
  leftOut: {
    other: 'The device cannot open this file.',
    noExtension: 'The device opens no files without an extension.',
    extension: (extension: string) => `The device does not open .${extension} files.`,
    noFolder: (platform: string) => `The device has no folder for ${platform}.`,
    nkit: 'An NKit does not contain the whole disc.',
    part: 'This is only a part of a split image.',
    severalImages: (count: string) => `This archive contains ${count} images.`,
    fat32: 'This file is too large for the card: files on FAT32 have at most 4 GiB.',
    missingTrack: (name: string) => `The library does not have the file ${name}, which this needs.`,
    unsafeTrack: (name: string) => `This needs the file ${name}, whose name the card cannot store.`,
    playlist: 'The library has none of the discs of this playlist.',
  },
};
