import type { SheetFile } from '../../../core/library/identity.ts';

/** A track in a sheet that may identify the disc. */
export interface DataTrack {
  /**
   * Name of the track's file, as written in the sheet. `*` at the start stands for the name of the
   * sheet without its extension, as in `*.img`. The name is relative to the sheet's folder and not
   * validated.
   */
  readonly file: string;
  /** Bytes per sector, as written in the sheet. */
  readonly sector: number;
  /** Offset of the track in its file, in bytes. */
  readonly start: number;
  /** True if the sheet describes the track as audio. */
  readonly isAudio?: boolean;
}

/** The content of a sheet: the named files, and the tracks in these files. */
export interface Sheet {
  readonly files: readonly SheetFile[];
  /**
   * The data tracks, in the order in which they are tried to identify the disc. If the sheet
   * describes all tracks as audio, these are some tracks that may contain data nevertheless.
   */
  readonly dataTracks: readonly DataTrack[];
}

/** Maximum size of a sheet, in bytes. Real sheets of 99 tracks have about 10 KiB. */
export const MAX_SHEET_BYTES = 128 * 1024;
const MAX_LINE_LENGTH = 1024;

/**
 * Returns the lines of a sheet without blank lines. Decodes the bytes as UTF-8, or as Latin-1 if
 * the bytes are not valid UTF-8.
 */
export function sheetLines(bytes: Buffer): string[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    text = bytes.toString('latin1');
  }
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.slice(0, MAX_LINE_LENGTH).trim())
    .filter((line) => line !== '');
}
