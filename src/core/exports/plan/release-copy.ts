import type { ExportFile } from './export-release.ts';

/** The containers of sheets, except playlists, which an export makes itself. */
export const sheetContainers: ReadonlySet<string> = new Set(['cue', 'gdi', 'ccd', 'mds']);

/** One copy of a release in the library: a single file, or a sheet with the files that it names. */
export interface Copy {
  readonly main: ExportFile;
  readonly extension: string;
  /**
   * The files of a sheet in the order of the sheet, or in that of the archive for a cue or GDI
   * sheet in an archive.
   */
  readonly tracks: readonly Track[];
}

/** A file that a sheet names. */
export interface Track {
  /** The name that the sheet states. For a sheet in an archive, the name that the file gets. */
  readonly name: string;
  /** True if the sheet states only the extension, so that the file has the name of the sheet. */
  readonly isNamedAsSheet: boolean;
  readonly file: ExportFile;
}

/** A file that a device cannot open, with the reason. */
export interface Unusable {
  readonly file: ExportFile;
  /** A sentence. */
  readonly why: string;
  /** True for an archive with an image that the device can open. */
  readonly isUnpackable: boolean;
}
