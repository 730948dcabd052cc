import type { OwnTexts } from '../shared/release-fields.ts';

/**
 * What a DAT file says, as its parser hands it over: one header, then rows in the file's order. The words
 * are those of the Logiqx DTD (datafile.dtd) and of clrmamepro; a parser renames, it does not interpret.
 */
export interface DatHeader {
  /** The header's `name`, which becomes the platform. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
}

/** One ROM (or CHD disk) of a row. Missing strings are "", a missing size is null, hashes are lower-case hex. */
export interface DatRom {
  readonly name: string;
  readonly size: number | null;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
  readonly serial: string;
}

/** One `game`, `machine` or `software`, with the texts of its own. Missing strings are "". */
export interface DatRow extends OwnTexts {
  /** Line of the file on which the row starts, from 1. */
  readonly line: number;
  /** Regions of its `release` elements, in order, without repeats. */
  readonly releaseRegions: readonly string[];
  readonly roms: readonly DatRom[];
  /** Further text fields that metadata files carry, e.g. genre, developer, releaseyear; lower-case keys. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Why a DAT was refused; becomes `FILE:LINE: reason` for the person who imports it. */
export class DatRefused extends Error {
  readonly line: number;
  readonly reason: string;

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.name = 'DatRefused';
    this.line = line;
    this.reason = reason;
  }
}

/** What a parser reports to: the header exactly once and before the first row. */
export interface DatSink {
  header(header: DatHeader): void;
  row(row: DatRow): void;
}
