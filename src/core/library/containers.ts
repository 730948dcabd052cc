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

/** The properties of a container that matching and the readers of discs depend on. */
interface ContainerTraits {
  /**
   * True if the image is a track of a CD. The file system of a track may be larger than the track,
   * because of a pregap or later sessions. So such an image is not checked for truncation.
   */
  readonly isTrack: boolean;
  /**
   * True if a sheet can divide the file into tracks, because the tracks are stored unpacked, one
   * after the other.
   */
  readonly isDivisible: boolean;
}

interface PackedTraits extends ContainerTraits {
  /**
   * `image`: the image inside is hashed. `image or file`: the file itself is hashed if the
   * container states no size of an image.
   */
  readonly hashes: 'image' | 'image or file';
}

const packedImage: PackedTraits = { isTrack: false, isDivisible: false, hashes: 'image' };

/**
 * The formats of packed images. `src/disk/containers/container-readers.ts` lists their readers. To
 * add a format, write its reader, and add a line to both lists.
 */
export const packedContainers = {
  ciso: packedImage,
  cso: packedImage,
  zso: packedImage,
  dax: packedImage,
  chd: packedImage,
  rvz: packedImage,
  wia: packedImage,
  gcz: packedImage,
  wbfs: packedImage,
  wdf: packedImage,
  nkit: packedImage,
  mdf: { ...packedImage, isTrack: true, isDivisible: true },
  nrg: packedImage,
  cdi: packedImage,
  ecm: packedImage,
  // A PBP contains the disc of a PlayStation, whose image is hashed, or a PSP game. For a PSP game,
  // the file itself is hashed.
  pbp: { ...packedImage, hashes: 'image or file' },
} as const satisfies Readonly<Record<string, PackedTraits>>;
export type PackedContainer = keyof typeof packedContainers;

/** The name of a container that this program reads. */
export type KnownContainer = PackedContainer | ArchiveFormat | PlainContainer;

const undivided: ContainerTraits = { isTrack: false, isDivisible: false };
const firstTrack: ContainerTraits = { isTrack: true, isDivisible: false };

/** The traits of each container. */
const traits: Readonly<Record<KnownContainer, ContainerTraits>> = {
  ...packedContainers,
  zip: undivided,
  '7z': undivided,
  rar: undivided,
  tar: undivided,
  gz: undivided,
  xz: undivided,
  zst: undivided,
  iso: { isTrack: false, isDivisible: true },
  raw: { isTrack: true, isDivisible: true },
  part: undivided,
  unknown: { isTrack: false, isDivisible: true },
  // The disc of a sheet is identified in the first data track.
  cue: firstTrack,
  gdi: firstTrack,
  ccd: firstTrack,
  mds: firstTrack,
  m3u: undivided,
  ines: undivided,
  fds: undivided,
  lnx: undivided,
  a78: undivided,
  copier: undivided,
  smd: undivided,
  n64: undivided,
  nds: undivided,
  gba: undivided,
};

/** Returns the traits of a container. For a name that is not listed here, all traits are false. */
export function traitsOf(container: Container): ContainerTraits {
  return Object.hasOwn(traits, container) ? traits[container as KnownContainer] : undivided;
}

/**
 * The format of an image file. A name that is not listed here was recorded by another version of
 * the program. It counts as a packed image.
 */
export type Container = KnownContainer | (string & {});
