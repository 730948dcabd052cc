import type { Container } from './containers.ts';
import type { DiscKind } from './discs.ts';

/**
 * A cartridge dump after conversion to another form. The hashes are those of the converted dump.
 */
export interface RomForm {
  readonly form: 'headerless' | 'deinterleaved' | 'big-endian' | 'padded';
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/** A file in an archive, as described by the directory of the archive. */
export interface ArchiveMember {
  /** The file name, only for display and comparison, and never used as a path. */
  readonly name: string;
  /** Uncompressed size in bytes. */
  readonly size: number;
  /** Eight lower-case hexadecimal digits; null if the archive does not state the CRC-32. */
  readonly crc32: string | null;
  /**
   * Hashes of the member. If the member itself is packed, these are the hashes of the image inside.
   * Null until the second pass has read the member.
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

/** A track of a disc, in a file that contains all tracks of the disc. */
export interface ImageTrack {
  readonly number: number;
  readonly isAudio: boolean;
  /**
   * Size in bytes of the track as a separate file. The size includes the pregap if the image
   * contains the pregap.
   */
  readonly size: number;
  /** Hashes of the track as a separate file. Null until the second pass has read the track. */
  readonly hashes: { readonly crc32: string; readonly md5: string; readonly sha1: string } | null;
}

/** A track as described by a sheet. */
export interface SheetTrack {
  readonly number: number;
  readonly isAudio: boolean;
  /**
   * Offset in bytes of the track within its file. If the file contains the pregap of the track, the
   * track starts with the pregap.
   */
  readonly start: number;
}

/** A file named by a sheet. */
export interface SheetFile {
  /**
   * The file's name as written in the sheet. The name is not validated, and is relative to the
   * sheet's folder. `*.img` means the sheet's own name with the extension `.img`.
   */
  readonly name: string;
  /** The tracks in order. Empty if the sheet does not state track positions. */
  readonly tracks: readonly SheetTrack[];
}

/** An area of the world for which discs are made. */
export type WorldArea = 'japan' | 'america' | 'europe' | 'korea' | 'asia';

/**
 * Values from a disc's own header that distinguish the disc from other discs with the same serial.
 */
export interface Edition {
  /** Disc number within a set, counted from 1; null if the disc does not state a number. */
  readonly disc: number | null;
  /**
   * Revision of a GameCube or Wii disc, where 0 is the first pressing. Null for all other discs.
   */
  readonly revision: number | null;
  /**
   * The version that the disc states, without a leading letter, such as `1.05`. Null if the disc
   * states no version.
   */
  readonly version: string | null;
  /** The regions where the disc may be played. Empty if the disc states no region. */
  readonly areas: readonly WorldArea[];
}

/** The edition of a disc if the header states none of these values. */
export const noEdition: Edition = { disc: null, revision: null, version: null, areas: [] };

/** The identity of a library file, read from a few of its sectors. */
export interface Identity {
  /** The kind of disc. Null if the sectors that were read do not show the kind. */
  readonly disc: DiscKind | null;
  readonly container: Container;
  /**
   * The serial that the disc states, or null. The form depends on the disc:
   * - PlayStation and PSP: `SLUS-99904`.
   * - Xbox: `MS-098`.
   * - Neo Geo CD: `NGCD-055`.
   * - GameCube and Wii: the id6 (`GW7E69`).
   * - Sega: the trimmed product number (`T-12345G`, `MK-81079`).
   * - UMD Video: no serial; see `title`.
   */
  readonly serial: string | null;
  readonly edition: Edition;
  /**
   * The title that the disc states, on one line. For a UMD Video, the title is field 0 of
   * UMD_DATA.BIN.
   */
  readonly title: string | null;
  /**
   * Size in bytes of the uncompressed image inside the file:
   * - For a plain image, the size of the file.
   * - For a sheet, or a CD in a CHD, the size of the data track.
   * - For an archive of one disc, the size of the main member.
   * - Null if the container does not state a size (EBOOT.PBP of a PSP game).
   */
  readonly imageSize: number | null;
  /** SHA-1 of the image in lower-case hexadecimal, if the container states it (CHD). */
  readonly sha1: string | null;
  /**
   * The SHA-1 that the container states for its own content. In a CHD, this hash covers the image
   * and the metadata. MAME's lists contain this hash.
   */
  readonly statedSha1: string | null;
  /**
   * CRC-32 (eight lower-case hexadecimal digits) and size in bytes of the original image. Set if
   * the file states both values (NKit).
   */
  readonly statedImage?: { readonly crc32: string; readonly size: number };
  /**
   * The reason why the original image cannot be restored from the file, as a sentence that refers
   * to the file as "it". If set, the file is not hashed.
   */
  readonly unrestorable?: string | undefined;
  /** The files in an archive, without folders, in the order of the archive; see `mainMember`. */
  readonly members: readonly ArchiveMember[];
  /**
   * Size in bytes of the dictionary that is needed to unpack an archive. Set only if the dictionary
   * is large.
   */
  readonly dictionary?: number | undefined;
  /**
   * The tracks of a disc, for these files; empty for all other files:
   * - A CD or GD-ROM in a CHD.
   * - A plain image that its sheet divides into several tracks.
   * - An archive that contains such an image as its only image.
   */
  readonly tracks: readonly ImageTrack[];
  /** The files that a sheet names. Empty if this file is not a sheet. */
  readonly sheet: readonly SheetFile[];
  /** The other forms of a cartridge dump. Set after the second pass has read the dump. */
  readonly forms?: readonly RomForm[] | undefined;
  /**
   * The values that were read from the file, such as `{ 'PARAM.SFO DISC_ID': 'ULUS10041' }`. These
   * values are stored to explain the match to users.
   */
  readonly evidence: Readonly<Record<string, string>>;
  /**
   * The problem of a file that is truncated or contradicts itself, as a sentence that refers to the
   * file as "it". Null if the file has no problem.
   */
  readonly problem: string | null;
}
