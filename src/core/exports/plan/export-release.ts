import type { ArchivedFile } from '../../shared/files/archived-file.ts';

export interface ExportArchive {
  readonly members: readonly (ArchivedFile & {
    /** False for sheets, texts and pictures; see `imagesAmong` of the library. */
    readonly isImage: boolean;
  })[];
  /** True if all images belong to one disc. */
  readonly isOneDisc: boolean;
  /** True if a scan has unpacked all members, which shows that the archive is intact. */
  readonly isHashed: boolean;
}

/** A file of the library, with the values that decide whether a device can open it. */
export interface ExportFile {
  readonly id: number;
  readonly name: string;
  /** The folder that contains the file. Used to find the files that a sheet names. */
  readonly folder: string;
  /** Size in bytes. */
  readonly size: number;
  /** The format of the file, such as `chd`; see `Container` of the library. */
  readonly container: string;
  /** The name that the file should have according to the DAT; null if the DAT has none. */
  readonly canonical: string | null;
  /** True if the file's own bytes are those of the ROM `canonical`. */
  readonly isExact: boolean;
  /** The names of the files that a sheet names; empty for all other files. */
  readonly sheet: readonly string[];
  /** The images in an archive; null for all other files. */
  readonly inside: { readonly images: number; readonly name: string | null } | null;
  /** The content of an archive as far as it is known; null for all other files. */
  readonly archive: ExportArchive | null;
  /** The member of the archive `id` that this file is. Null for a file of the library itself. */
  readonly member: ArchivedFile | null;
  readonly isNkit: boolean;
  /** The problem of the file, as a sentence that calls the file "it"; null without a problem. */
  readonly problem: string | null;
}

export interface ExportRom {
  readonly name: string;
  /** Size in bytes; 0 if the DAT does not state it. */
  readonly size: number;
  /** Eight lower-case hexadecimal digits, or "". */
  readonly crc32: string;
}

/** A release with its files in the library. A missing text is "". */
export interface ExportRelease {
  readonly id: number;
  readonly name: string;
  readonly region: string;
  readonly serial: string;
  /** The title, if a user gave one. */
  readonly title: string;
  readonly synopsis: string;
  /** A year, a month or a day, such as `2006`, `2006-04` or `2006-04-27`. */
  readonly releaseDate: string;
  readonly developer: string;
  readonly publisher: string;
  readonly genre: string;
  readonly franchise: string;
  readonly roms: readonly ExportRom[];
  readonly files: readonly ExportFile[];
}
