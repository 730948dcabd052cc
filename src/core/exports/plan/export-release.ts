/** A file of the library, with what decides whether a device can open it. */
export interface ExportFile {
  readonly id: number;
  readonly name: string;
  /** The folder that contains the file, to find the files that a sheet names. */
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
