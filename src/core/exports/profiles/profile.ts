/**
 * The kinds of file systems of devices, ordered by the strictness of their limits on names and
 * sizes.
 */
export const fileSystems = ['posix', 'exfat', 'fat32'] as const;
export type FileSystem = (typeof fileSystems)[number];

/** The forms of metadata that an export can write. */
export const metadataForms = ['es-de', 'batocera', 'pegasus', 'retroarch'] as const;
export type MetadataForm = (typeof metadataForms)[number];

/** The kinds of pictures that an export can contain. */
export const artKinds = ['box'] as const;
export const artFormats = ['png', 'jpg'] as const;

/** The picture of a game: where it is stored, and the size that it must not exceed. */
export interface ArtPlace {
  readonly kind: (typeof artKinds)[number];
  /** A path template; see `pathFields`. */
  readonly path: string;
  readonly format: (typeof artFormats)[number];
  /** Maximum size in pixels. */
  readonly maxWidth: number;
  readonly maxHeight: number;
  /** The elements of a `gamelist.xml` that name this picture. */
  readonly elements: readonly string[];
}

/** A platform that a device plays. */
export interface ProfilePlatform {
  /** The platform's name in libretro's database, such as `Sony - PlayStation`. */
  readonly name: string;
  /** The folder of the platform's games on the device. */
  readonly folder: string;
  /** The folder of the platform's pictures, which may have another name than `folder`. */
  readonly artFolder: string;
  /** The file extensions that the device opens, without a dot, in lower case; the best first. */
  readonly extensions: readonly string[];
  /** True if the device opens a playlist (.m3u) of a game on several discs. */
  readonly hasPlaylists: boolean;
  /** The name and the short name that a front end shows. */
  readonly title: string;
  readonly shortName: string;
  /** The command that starts a game, for Pegasus; "" for none. */
  readonly launch: string;
}

/**
 * The games that get a folder of their own:
 * - `clashes`: only those whose files have names that other games may have too.
 * - `playlists`: also games on several discs with a playlist.
 * - `several_files`: all games with several files.
 */
export const folderUses = ['clashes', 'playlists', 'several_files'] as const;

/** The names of such a folder: the name of the game, or of the file that starts it. */
export const folderNames = ['stem', 'entry'] as const;

/** Describes a device or a front end: the files that it reads, and their paths. */
export interface Profile {
  readonly id: string;
  readonly title: string;
  /** One sentence that states where to put the export. */
  readonly placement: string;
  /** The id of the profile that this one changes; null if there is none. */
  readonly basedOn: string | null;
  /** True for a profile of the data folder. */
  readonly isOwn: boolean;
  readonly fileSystem: FileSystem;
  /** The folder of all games on the device, unless the user names another one. */
  readonly romsPath: string;
  /** A path template: the folder of a platform's games in the export. */
  readonly tree: string;
  readonly gameFolder: (typeof folderNames)[number];
  readonly gameFolderFor: (typeof folderUses)[number];
  readonly metadata: { readonly form: MetadataForm; readonly path: string } | null;
  /** A path template: the list of the set's games, for ES-DE; null for none. */
  readonly collection: string | null;
  readonly art: readonly ArtPlace[];
  /** By the name in libretro's database. */
  readonly platforms: ReadonlyMap<string, ProfilePlatform>;
}

/**
 * The fields of path templates, written as `{folder}`:
 * - `platform`, `folder`, `art_folder`: of the platform.
 * - `stem`, `file`: the name of the game without and with its extension.
 * - `label`: the game's name, as RetroArch names its pictures.
 * - `set`: the name of the set.
 */
export const pathFields = [
  'platform',
  'folder',
  'art_folder',
  'stem',
  'file',
  'label',
  'set',
] as const;
export type PathField = (typeof pathFields)[number];

/** Returns the path that a template gives for these values. */
export function fillPath(
  template: string,
  values: Readonly<Partial<Record<PathField, string>>>,
): string {
  return template.replace(/\{(\w+)\}/g, (_, field: PathField) => values[field] ?? '');
}
