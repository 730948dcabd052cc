import type { OwnTexts } from '../shared/release-fields.ts';

/**
 * The header of a DAT file. A parser reports one header, then the rows in the file's order. Field
 * names follow the Logiqx DTD (datafile.dtd) and clrmamepro; a parser renames fields but does not
 * interpret them.
 */
export interface DatHeader {
  /** The header's `name`, which becomes the platform. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
}

/**
 * One ROM (or CHD disk) of a row. Missing strings are "", a missing size is null, hashes are
 * lower-case hexadecimal.
 */
export interface DatRom {
  readonly name: string;
  readonly size: number | null;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
  readonly serial: string;
}

/** One `game`, `machine` or `software`, with its own texts. Missing strings are "". */
export interface DatRow extends OwnTexts {
  /** Line of the file where the row starts, counted from 1. */
  readonly line: number;
  /** Regions of its `release` elements, in order, without repeats. */
  readonly releaseRegions: readonly string[];
  readonly roms: readonly DatRom[];
  /** Further text fields of metadata files, e.g. genre, developer, releaseyear; lower-case keys. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The reason why a DAT was refused; shown to the importing user as `FILE:LINE: reason`. */
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

/** Receives a parser's results: the header exactly once, before the first row. */
export interface DatSink {
  header(header: DatHeader): void;
  row(row: DatRow): void;
}
