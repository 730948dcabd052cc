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
 * The format in which an image is stored. `iso` has sectors of 2048 bytes, `raw` of 2352 bytes, and
 * `mdf` of 2448 bytes with subchannels. A `part` continues another file. `ciso` is the GameCube and
 * Wii format.
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

/**
 * The format in which a cartridge dump is stored. DATs may list the dump in another form. `copier`
 * is a dump with a 512-byte header.
 */
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

/** A cartridge dump converted to another form, with the hashes of that form. */
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
   * Hashes of the member; if the member is packed itself, hashes of the image inside. Null until
   * the second pass has read the member.
   */
  readonly hashes: {
    readonly size: number;
    readonly crc32: string;
    readonly md5: string;
    readonly sha1: string;
  } | null;
  /** The member's other forms; see `Identity.forms`. */
  readonly forms?: readonly RomForm[] | undefined;
}

/** A track of a disc in a file that holds all of the disc's tracks. */
export interface ImageTrack {
  readonly number: number;
  readonly isAudio: boolean;
  /**
   * Size in bytes of the track as a separate file. Includes the pregap if the image contains the
   * pregap.
   */
  readonly size: number;
  /** Hashes of the track as a separate file; null until the second pass has read the track. */
  readonly hashes: { readonly crc32: string; readonly md5: string; readonly sha1: string } | null;
}

/** A track as described by a sheet. */
export interface SheetTrack {
  readonly number: number;
  readonly isAudio: boolean;
  /**
   * Offset in bytes at which the track starts in its file. The track includes its pregap if the
   * file contains the pregap.
   */
  readonly start: number;
}

/** A file named by a sheet. */
export interface SheetFile {
  /**
   * The file's name as written in the sheet: unchecked, and relative to the sheet's folder. `*.img`
   * means the sheet's own name with the extension `.img`.
   */
  readonly name: string;
  /** The tracks in order; empty if the sheet does not state their positions. */
  readonly tracks: readonly SheetTrack[];
}

/** Areas of the world for which discs are made. */
export type Area = 'japan' | 'america' | 'europe' | 'korea' | 'asia';

/**
 * Values in a disc's own header that distinguish the disc from other discs with the same serial.
 */
export interface Edition {
  /** Disc number within a set, counted from 1; null if the disc does not state a number. */
  readonly disc: number | null;
  /** Revision of a GameCube or Wii disc, 0 for the first pressing; null for other discs. */
  readonly revision: number | null;
  /**
   * Version that the disc states, without a leading letter, such as `1.05`; null if it states none.
   */
  readonly version: string | null;
  /** Regions where the disc may be played; empty if the disc states no region. */
  readonly areas: readonly Area[];
}

/** The edition of a disc whose header states nothing. */
export const noEdition: Edition = { disc: null, revision: null, version: null, areas: [] };

/** The identity of a library file, read from a few of its sectors. */
export interface Identity {
  /** The kind of disc; null if the sectors that were read do not show the kind. */
  readonly disc: DiscKind | null;
  readonly container: Container;
  /**
   * The serial that the disc states, or null. PlayStation and PSP: `SLUS-99904`. Xbox: `MS-098`.
   * Neo Geo CD: `NGCD-055`. GameCube and Wii: the id6 (`GW7E69`). Sega: the trimmed product number
   * (`T-12345G`, `MK-81079`). A UMD Video has no serial; see `title`.
   */
  readonly serial: string | null;
  readonly edition: Edition;
  /** The title that the disc states, on one line. For a UMD Video it is field 0 of UMD_DATA.BIN. */
  readonly title: string | null;
  /**
   * Size in bytes of the uncompressed image inside the file. For a plain image, this is the file's
   * size; for a sheet or a CD in a CHD, the data track's size. For an archive of one disc, it is
   * the main member's size. Null if the container does not state a size (EBOOT.PBP of a PSP game).
   */
  readonly imageSize: number | null;
  /** SHA-1 of the image, lower-case hex, if the container states it (CHD). */
  readonly sha1: string | null;
  /**
   * The SHA-1 that the container states for its own content. In a CHD, this hash covers image and
   * metadata, and MAME's lists contain it.
   */
  readonly statedSha1: string | null;
  /**
   * CRC-32 (eight lower-case hex digits) and size in bytes of the original image, if the file
   * states them (NKit).
   */
  readonly statedImage?: { readonly crc32: string; readonly size: number };
  /**
   * The reason why the original image cannot be restored from the file, as a sentence that calls
   * the file "it". Such a file is not hashed.
   */
  readonly unrestorable?: string | undefined;
  /** The files in an archive in archive order, without folders; see `mainMember`. */
  readonly members: readonly ArchiveMember[];
  /**
   * Size in bytes of the dictionary that is needed to unpack an archive; set only if it is large.
   */
  readonly dictionary?: number | undefined;
  /**
   * The tracks of a CD or GD-ROM in a CHD, or of a plain image that its sheet divides into several.
   * Also set if such an image is the only image in an archive. Empty for everything else.
   */
  readonly tracks: readonly ImageTrack[];
  /** The files named by a sheet; empty for everything else. */
  readonly sheet: readonly SheetFile[];
  /** The other forms of a cartridge dump; set once the second pass has read the dump. */
  readonly forms?: readonly RomForm[] | undefined;
  /**
   * The values that were read from the file, kept to explain the match later, such as `{ 'PARAM.SFO
   * DISC_ID': 'ULUS10041' }`.
   */
  readonly evidence: Readonly<Record<string, string>>;
  /**
   * The problem of a file that is truncated or contradicts itself, as a sentence that calls the
   * file "it". Null if there is none.
   */
  readonly problem: string | null;
}
