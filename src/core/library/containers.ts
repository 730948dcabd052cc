/**
 * The formats of cartridge dumps. DATs may list the same dump in another form. `copier` is a dump
 * with a 512-byte header.
 */
export const cartridgeFormats = [
  'ines',
  'fds',
  'lnx',
  'a78',
  'copier',
  'smd',
  'n64',
  'nds',
  'gba',
] as const;
export type CartridgeFormat = (typeof cartridgeFormats)[number];

/** The formats of sheets and playlists, which are files that name other files. */
export const sheetFormats = ['cue', 'gdi', 'ccd', 'mds', 'm3u'] as const;
export type SheetFormat = (typeof sheetFormats)[number];

/** The formats of archives. Every file in an archive is hashed. */
export const archiveFormats = ['zip', '7z', 'rar', 'tar', 'gz', 'xz', 'zst'] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

/**
 * The containers whose own bytes are hashed:
 * - `iso`: sectors of 2048 bytes.
 * - `raw`: sectors of 2352 bytes.
 * - `part`: the continuation of another file.
 * - `unknown`: a file in which no format was recognised.
 */
export const plainContainers = [
  'iso',
  'raw',
  'part',
  'unknown',
  ...sheetFormats,
  ...cartridgeFormats,
] as const;
export type PlainContainer = (typeof plainContainers)[number];

/**
 * The format of an image file. Any name that is not listed in this file is the format of a packed
 * image, whose content is hashed. `src/disk/containers/containers.ts` lists the packed images. Core
 * treats all packed images alike, so their names are not needed here.
 */
export type Container = PlainContainer | ArchiveFormat | (string & {});
