import type { SheetFile } from '../../core/library/identity.ts';

/** A data track that a sheet names. */
export interface DataTrack {
  /** As the sheet has it: not checked, and relative to the sheet's folder. */
  readonly file: string;
  /** Bytes per sector, as the sheet says. */
  readonly sector: number;
  /** Where the track starts in its file, in bytes. */
  readonly start: number;
  /** Whether the sheet calls it sound. */
  readonly isAudio?: boolean;
}

/** What a sheet says. */
export interface Sheet {
  readonly files: readonly SheetFile[];
  /** In the order in which they are asked what the disc is; where all are sound, those that may hold data all the same. */
  readonly dataTracks: readonly DataTrack[];
}

/** Real sheets of 99 tracks have some 10 KiB. */
export const MOST_SHEET_BYTES = 128 * 1024;
const MOST_LINE = 1024;

/** The lines of a sheet, decoded as UTF-8 where that is what it is, else as Latin-1. */
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
