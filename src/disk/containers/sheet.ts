import type { SheetFile } from '../../core/library/identity.ts';

/** A data track that a sheet names. */
export interface DataTrack {
  /** Name from the sheet: not validated, and relative to the sheet's folder. */
  readonly file: string;
  /** Bytes per sector, as the sheet says. */
  readonly sector: number;
  /** Offset of the track in its file, in bytes. */
  readonly start: number;
  /** Whether the sheet says that the track is audio. */
  readonly isAudio?: boolean;
}

/** The content of a sheet. */
export interface Sheet {
  readonly files: readonly SheetFile[];
  /**
   * In the order in which they are tried to identify the disc. If all tracks are audio, those that
   * may hold data anyway.
   */
  readonly dataTracks: readonly DataTrack[];
}

/** Maximum size of a sheet, in bytes; real sheets of 99 tracks have about 10 KiB. */
export const MOST_SHEET_BYTES = 128 * 1024;
const MOST_LINE = 1024;

/** Returns the lines of a sheet, decoded as UTF-8 if it is valid, otherwise as Latin-1. */
export function sheetLines(bytes: Buffer): string[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    text = bytes.toString('latin1');
  }
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.slice(0, MOST_LINE).trim())
    .filter((line) => line !== '');
}
