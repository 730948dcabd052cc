/** What kind of disc an image holds, as its content says. */
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

/** How the image is stored: `iso` has 2048-byte sectors, `raw` 2352-byte ones, `mdf` 2448-byte ones with subchannels; a
 * `part` goes on from another file; `ciso` is that of GameCube and Wii. */
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

/** How the dump of a cartridge is stored, where DATs may list it in another form; `copier` has a header of 512 bytes. */
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

/** Another form of the dump of a cartridge, with its hashes. */
export interface RomForm {
  readonly form: 'headerless' | 'deinterleaved' | 'big-endian' | 'padded';
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/** A file in an archive, as the archive's directory describes it. */
export interface ArchiveMember {
  /** For showing and comparing only, never a path. */
  readonly name: string;
  /** Uncompressed, in bytes. */
  readonly size: number;
  /** Eight lower-case hex digits; null when the archive does not state it. */
  readonly crc32: string | null;
  /** Of the member, or of the image inside it where it is packed itself; null until the second pass has read it. */
  readonly hashes: {
    readonly size: number;
    readonly crc32: string;
    readonly md5: string;
    readonly sha1: string;
  } | null;
  /** As those of `Identity`. */
  readonly forms?: readonly RomForm[] | undefined;
}

/** A track of a disc, in a file that holds all of them. */
export interface ImageTrack {
  readonly number: number;
  readonly isAudio: boolean;
  /** In bytes, as a file of its own: with its pregap where that is kept. */
  readonly size: number;
  /** Of the track as a file of its own; null until the second pass has read it. */
  readonly hashes: { readonly crc32: string; readonly md5: string; readonly sha1: string } | null;
}

/** A track as a sheet describes it. */
export interface SheetTrack {
  readonly number: number;
  readonly isAudio: boolean;
  /** Where it starts in its file, in bytes: with its pregap where that is in the file. */
  readonly start: number;
}

/** A file that a sheet names. */
export interface SheetFile {
  /** As the sheet has it: not checked, and relative to the sheet's folder. `*.img` is the sheet's own name with that ending. */
  readonly name: string;
  /** In their order; none where the sheet does not say what lies where. */
  readonly tracks: readonly SheetTrack[];
}

/** Parts of the world for which discs are made. */
export type Area = 'japan' | 'america' | 'europe' | 'korea' | 'asia';

/** What a disc's own header says of its place among discs with the same serial. */
export interface Edition {
  /** Of a set of several, counted from 1; null when the disc does not say. */
  readonly disc: number | null;
  /** Of a GameCube or Wii disc, 0 for the first pressing; null for other discs. */
  readonly revision: number | null;
  /** As the disc states it, without a letter before it: `1.05`; null when it states none. */
  readonly version: string | null;
  /** Where the disc may be played; empty when it does not say. */
  readonly areas: readonly Area[];
}

/** Of a disc that says nothing of it. */
export const noEdition: Edition = { disc: null, revision: null, version: null, areas: [] };

/** What a file in the library says it is, read from a few of its sectors. */
export interface Identity {
  /** Null when nothing that was read tells it. */
  readonly disc: DiscKind | null;
  readonly container: Container;
  /**
   * `SLUS-99904` for PlayStation and PSP, `MS-098` for Xbox, `NGCD-055` for Neo Geo CD, id6 (`GW7E69`) for GameCube and Wii, the trimmed product number (`T-12345G`,
   * `MK-81079`) for Sega; null when the disc states none. A UMD Video has none, see `title`.
   */
  readonly serial: string | null;
  readonly edition: Edition;
  /** The title as the disc states it, on one line; for a UMD Video field 0 of UMD_DATA.BIN. */
  readonly title: string | null;
  /**
   * Bytes of the uncompressed image inside; of the file itself for a plain image; of the data track for a sheet and
   * for a CD in a CHD; of the main member for an archive of one disc. Null when the container does not tell (EBOOT.PBP of a PSP game).
   */
  readonly imageSize: number | null;
  /** SHA-1 of the image, lower-case hex, when the container states it (CHD). */
  readonly sha1: string | null;
  /** The SHA-1 that the container states of itself: of a CHD's image and metadata, which is what MAME's lists have. */
  readonly statedSha1: string | null;
  /** CRC-32, as eight lower-case hex digits, and size of the image as it was, when the file states them (NKit). */
  readonly statedImage?: { readonly crc32: string; readonly size: number };
  /** Why the image as it was cannot be had from the file, as a sentence about "it": then nothing is hashed. */
  readonly unrestorable?: string | undefined;
  /** The files in an archive in its order, without folders; see `mainMember`. */
  readonly members: readonly ArchiveMember[];
  /** Bytes of what unpacking an archive has to keep, where that is much. */
  readonly dictionary?: number | undefined;
  /**
   * The tracks of a CD or GD-ROM in a CHD, and those of a plain image that its sheet divides into several, also where either is
   * the only image in an archive; none for everything else.
   */
  readonly tracks: readonly ImageTrack[];
  /** The files that a sheet names; none for everything else. */
  readonly sheet: readonly SheetFile[];
  /** The other forms of the dump of a cartridge, once the second pass has read it. */
  readonly forms?: readonly RomForm[] | undefined;
  /** What was read, for a later explanation: `{ 'PARAM.SFO DISC_ID': 'ULUS10041' }`. */
  readonly evidence: Readonly<Record<string, string>>;
  /** What is wrong with the file when it lies or is cut, as a sentence about "it"; else null. */
  readonly problem: string | null;
}
