import type { Actor } from '../shared/actor.ts';
import type { DatHeader, DatRom, DatSink } from './dat.ts';
import type { Dump } from './dump.ts';

/** A row on its way into the catalogue: what a release would say. */
export interface StagedRow {
  readonly line: number;
  readonly name: string;
  readonly description: string;
  readonly region: string;
  readonly serial: string;
  readonly dump: Dump;
  readonly roms: readonly DatRom[];
}

/** The file and header that rows came from. */
export interface ImportedDat {
  readonly fileName: string;
  /** SHA-256 of the file, lower-case hexadecimal. */
  readonly sha256: string;
  readonly header: DatHeader;
  readonly system: string;
}

export interface ImportCounts {
  /** Rows of the file. */
  readonly rows: number;
  /** Distinct (name, dump) pairs: the releases that the file describes. */
  readonly releases: number;
  readonly new: number;
  /** Of the new to this source: a dump that another source of the platform had brought already. */
  readonly joined: number;
  /** Known, and something about them differs. */
  readonly changed: number;
  /** Of the changed: those with a new name. */
  readonly renamed: number;
  readonly unchanged: number;
  /** Known from an earlier version of the file and no longer in it; kept. */
  readonly gone: number;
}

/** A DAT's rows, kept outside the catalogue and outside its write lock until they are applied. */
export interface Staging {
  /** Takes a row; rows are kept in their order. */
  add(row: StagedRow): void;
  /** Resolves when everything added so far is kept; await it now and then, so that memory stays bounded. */
  flush(): Promise<void>;
}

export interface ImportRecords {
  /**
   * Runs `fill`, which stages the rows of one DAT, then applies them in one transaction: whole or not at all. Rows of
   * one name and dump become one release, their serials joined with ", " in the file's order. Fields edited by hand
   * keep their values, releases keep their ids.
   *
   * A DAT continues an earlier one of the platform when the header's name is the same and at least half of its rows are
   * that one's by name and dump; else it is another source, whose known dumps join the releases that are there.
   */
  importDat(fill: (staging: Staging) => Promise<ImportedDat>, actor: Actor): Promise<ImportCounts>;
}

/** Reads DAT files of every known format. Throws `DatRefused` with the line and reason. */
export type DatReader = (
  bytes: AsyncIterable<Uint8Array>,
  sink: DatSink,
) => Promise<{ format: string; sha256: string; size: number }>;

/** A file that somebody named, to be read once. */
export interface ImportFile {
  /** As it was named, for messages. */
  readonly path: string;
  /** Bytes, for progress. */
  readonly size: number;
  /** Small chunks, so that other work gets its turn. */
  read(): AsyncIterable<Uint8Array>;
}
