import type { ExportFile } from './export-release.ts';

/** The containers of sheets, except playlists, which an export makes itself. */
export const sheetContainers: ReadonlySet<string> = new Set(['cue', 'gdi', 'ccd', 'mds']);

/** A release as the library has it once: one file, or a sheet with the files that it names. */
export interface Copy {
  readonly main: ExportFile;
  readonly extension: string;
  /** The files of a sheet, in its order; those of a sheet in an archive in that of the archive. */
  readonly tracks: readonly Track[];
}

/** A file that a sheet names. */
export interface Track {
  /** The name that the sheet states. For a sheet in an archive, the name to give. */
  readonly name: string;
  /** True if the sheet states only the extension, so that the file has the name of the sheet. */
  readonly isNamedAsSheet: boolean;
  readonly file: ExportFile;
}

/** A file that a device cannot open, and why. */
export interface Unusable {
  readonly file: ExportFile;
  /** A sentence. */
  readonly why: string;
  /** True for an archive with an image that the device can open. */
  readonly isUnpackable: boolean;
}
