import type { OwnTexts } from '../shared/release-fields.ts';

/**
 * The header of a DAT file. A parser reports the header first, then the rows in the order of the
 * file. Field names follow the Logiqx DTD (datafile.dtd) and clrmamepro. A parser translates other
 * field names to these, but does not interpret values.
 */
export interface DatHeader {
  /** The `name` of the header. It becomes the name of the platform. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
}

/**
 * One ROM or CHD disk of a row. A missing text is "", a missing size is null. Hashes are in
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

/** One `game`, `machine` or `software` element, with its texts. A missing text is "". */
export interface DatRow extends OwnTexts {
  /** Line of the file where the row starts, counted from 1. */
  readonly line: number;
  /** The distinct regions of the row's `release` elements, in order. */
  readonly releaseRegions: readonly string[];
  readonly roms: readonly DatRom[];
  /** The name of this row's parent (`cloneof`). Absent if there is none. */
  readonly cloneOf?: string;
  /** The id of the row in the DAT (`id` of No-Intro). Absent if there is none. */
  readonly datId?: string;
  /** The id of this row's parent (`cloneofid`). Absent if there is none. */
  readonly cloneOfId?: string;
  /**
   * Further text fields, by lower-case name, such as genre, developer and releaseyear. Metadata
   * files have them.
   */
  readonly fields: Readonly<Record<string, string>>;
}

/** The reason why a DAT was refused. Users see it as `FILE:LINE: reason`. */
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

/** Receives the results of a parser: the header exactly once, then the rows. */
export interface DatSink {
  header(header: DatHeader): void;
  row(row: DatRow): void;
}
