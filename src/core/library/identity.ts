/** The kind of disc in an image, according to its content. */
export type DiscKind =
  | 'psp'
  | 'umd-video'
  | 'umd-audio'
  | 'psx'
  | 'ps2'
  | 'ps3'
  | 'xbox'
  | 'xbox-360'
  | 'pc-engine-cd'
  | 'neo-geo-cd'
  | '3do'
  | 'cd-i'
  | 'jaguar-cd'
  | 'gamecube'
  | 'wii'
  | 'saturn'
  | 'mega-cd'
  | 'dreamcast';

/**
 * How an image is stored. `iso` has 2048-byte sectors, `raw` 2352-byte ones, `mdf` 2448-byte ones
 * with subchannels. A `part` continues another file. `ciso` is the GameCube and Wii format.
 */
export type Container =
  | 'iso'
  | 'raw'
  | 'cso'
  | 'zso'
  | 'dax'
  | 'chd'
  | 'rvz'
  | 'wia'
  | 'gcz'
  | 'wbfs'
  | 'ciso'
  | 'wdf'
  | 'nkit'
  | 'zip'
  | '7z'
  | 'rar'
  | 'tar'
  | 'gz'
  | 'xz'
  | 'zst'
  | 'cue'
  | 'gdi'
  | 'm3u'
  | 'ccd'
  | 'mds'
  | 'mdf'
  | 'nrg'
  | 'cdi'
  | 'ecm'
  | 'part'
  | 'pbp'
  | CartridgeFormat
  | 'unknown';

/** How a cartridge dump is stored. DATs may list another form. `copier` has a 512-byte header. */
export type CartridgeFormat =
  | 'ines'
  | 'fds'
  | 'lnx'
  | 'a78'
  | 'copier'
  | 'smd'
  | 'n64'
  | 'nds'
  | 'gba';

/** Another form of a cartridge dump, with its hashes. */
export interface RomForm {
  readonly form: 'headerless' | 'deinterleaved' | 'big-endian' | 'padded';
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/** A file in an archive, as described by the archive's directory. */
export interface ArchiveMember {
  /** For display and comparison only, never used as a path. */
  readonly name: string;
  /** Uncompressed size in bytes. */
  readonly size: number;
  /** Eight lower-case hex digits; null if the archive does not state it. */
  readonly crc32: string | null;
  /**
   * Hashes of the member, or of the image inside if the member is packed itself; null until the
   * second pass has read it.
   */
  readonly hashes: {
    readonly size: number;
    readonly crc32: string;
    readonly md5: string;
    readonly sha1: string;
  } | null;
  /** See `Identity`. */
  readonly forms?: readonly RomForm[] | undefined;
}

/** A track of a disc in a file that holds all of the disc's tracks. */
export interface ImageTrack {
  readonly number: number;
  readonly isAudio: boolean;
  /** Size in bytes as a separate file, including the pregap if that is stored. */
  readonly size: number;
  /** Hashes of the track as a separate file; null until the second pass has read it. */
  readonly hashes: { readonly crc32: string; readonly md5: string; readonly sha1: string } | null;
}

/** A track as described by a sheet. */
export interface SheetTrack {
  readonly number: number;
  readonly isAudio: boolean;
  /** Start offset in its file, in bytes, including the pregap if that is in the file. */
  readonly start: number;
}

/** A file named by a sheet. */
export interface SheetFile {
  /**
   * The name as written in the sheet: unchecked, and relative to the sheet's folder. `*.img` means
   * the sheet's own name with that extension.
   */
  readonly name: string;
  /** The tracks in order; empty if the sheet does not say where they are. */
  readonly tracks: readonly SheetTrack[];
}

/** Parts of the world for which discs are made. */
export type Area = 'japan' | 'america' | 'europe' | 'korea' | 'asia';

/** How a disc's own header distinguishes it from other discs with the same serial. */
export interface Edition {
  /** Disc number within a set, counted from 1; null if the disc does not say. */
  readonly disc: number | null;
  /** Revision of a GameCube or Wii disc, 0 for the first pressing; null for other discs. */
  readonly revision: number | null;
  /** Version as the disc states it, without a leading letter: `1.05`; null if it states none. */
  readonly version: string | null;
  /** Regions where the disc may be played; empty if it does not say. */
  readonly areas: readonly Area[];
}

/** The edition of a disc that states none. */
export const noEdition: Edition = { disc: null, revision: null, version: null, areas: [] };

/** The identity of a library file, read from a few of its sectors. */
export interface Identity {
  /** Null if nothing that was read tells the kind of disc. */
  readonly disc: DiscKind | null;
  readonly container: Container;
  /**
   * The serial stated by the disc, or null: `SLUS-99904` for PlayStation and PSP, `MS-098` for
   * Xbox, `NGCD-055` for Neo Geo CD. For GameCube and Wii it is the id6 (`GW7E69`), for Sega the
   * trimmed product number (`T-12345G`, `MK-81079`). A UMD Video has none, see `title`.
   */
  readonly serial: string | null;
  readonly edition: Edition;
  /** The title stated by the disc, on one line; for a UMD Video, field 0 of UMD_DATA.BIN. */
  readonly title: string | null;
  /**
   * Size in bytes of the uncompressed image inside. For a plain image it is the size of the file,
   * for a sheet or a CD in a CHD that of the data track. For an archive of one disc it is that of
   * the main member. Null if the container does not tell (EBOOT.PBP of a PSP game).
   */
  readonly imageSize: number | null;
  /** SHA-1 of the image, lower-case hex, if the container states it (CHD). */
  readonly sha1: string | null;
  /**
   * The SHA-1 that the container states of itself. A CHD's covers image and metadata, and is the
   * one in MAME's lists.
   */
  readonly statedSha1: string | null;
  /**
   * CRC-32 (eight lower-case hex digits) and size of the original image, if the file states them
   * (NKit).
   */
  readonly statedImage?: { readonly crc32: string; readonly size: number };
  /**
   * Why the original image cannot be restored from the file, as a sentence about "it". Such a file
   * is not hashed.
   */
  readonly unrestorable?: string | undefined;
  /** The files in an archive in archive order, without folders; see `mainMember`. */
  readonly members: readonly ArchiveMember[];
  /** Size in bytes of the dictionary that unpacking an archive needs, if it is large. */
  readonly dictionary?: number | undefined;
  /**
   * The tracks of a CD or GD-ROM in a CHD, or of a plain image that its sheet divides into several.
   * Also set if either is the only image in an archive; empty for everything else.
   */
  readonly tracks: readonly ImageTrack[];
  /** The files named by a sheet; empty for everything else. */
  readonly sheet: readonly SheetFile[];
  /** The other forms of a cartridge dump, once the second pass has read it. */
  readonly forms?: readonly RomForm[] | undefined;
  /** The values that were read, for a later explanation: `{ 'PARAM.SFO DISC_ID': 'ULUS10041' }`. */
  readonly evidence: Readonly<Record<string, string>>;
  /**
   * The problem of a file that is truncated or makes false statements, as a sentence about "it";
   * else null.
   */
  readonly problem: string | null;
}
