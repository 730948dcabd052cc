import type { Actor } from '../shared/actor.ts';
import type { DatHeader, DatSink } from './dat.ts';
import type { MetadataFact } from './metadata.ts';
import type { StagedRow } from './staged-row.ts';

/** The file and header that rows came from. */
export interface ImportedDat {
  readonly fileName: string;
  /** SHA-256 of the file, lower-case hexadecimal. */
  readonly sha256: string;
  readonly header: DatHeader;
  /** A metadata file fills `meta` of releases that exist or will; it makes none. */
  readonly kind: 'dat' | 'metadata';
  /** Whether it states metadata in rows of their own, which count for all releases of the platform. */
  readonly hasFacts: boolean;
  /** Rows of the file. */
  readonly rows: number;
  /** Rows that could not be taken, those of them with a text over its limit, the first with line and reason. */
  readonly refusedRows: {
    readonly count: number;
    readonly tooLong: number;
    readonly samples: readonly string[];
  };
}

/** How one file is imported. */
export interface DatOptions {
  /** The system, in place of the one that follows from the header. */
  readonly system?: string;
  /** The name of the source that the DAT is, in place of the one that follows from its rows. */
  readonly source?: string;
  /** Reports what the import would do, and changes nothing. */
  readonly dryRun?: boolean;
  /** Removes what no source lists any more, nobody edited and the library lacks, except these (they have a cover). */
  readonly prune?: { readonly keep: ReadonlySet<number> };
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
  /** Removed, because that was asked for. */
  readonly pruned: number;
  /** Releases whose metadata changed. */
  readonly filled: number;
  /** Fields that would have changed and were kept, because they were edited by hand. */
  readonly protected: number;
  /** Rows that could not be taken. */
  readonly refusedRows: number;
  /** Of these: rows with a text over its limit. What they named before is not gone. */
  readonly tooLongRows: number;
}

/** The first few of each kind, for people. */
export interface ImportSamples {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  /** "old name -> new name". */
  readonly renamed: readonly string[];
  readonly joined: readonly string[];
  readonly gone: readonly string[];
  readonly pruned: readonly string[];
  readonly protected: readonly string[];
  /** "line N: reason". */
  readonly refusedRows: readonly string[];
}

/** How an import is followed, and stopped. */
export interface ImportWatch {
  readonly signal: AbortSignal;
  /** Told after each part of many new releases: so many of all of them are written. */
  readonly onWritten: (releases: number, of: number) => void;
}

export interface ImportOutcome {
  readonly counts: ImportCounts;
  readonly samples: ImportSamples;
}

/** A DAT's rows, kept outside the catalogue and outside its write lock until they are applied. */
export interface Staging {
  /** Takes a row; rows are kept in their order. */
  add(row: StagedRow): void;
  /** Takes note of a row that is not taken: releases of its name or dump are not gone. */
  addRefused(row: StagedRow): void;
  /** Takes metadata; that of rows with a name counts only when the file turns out to be a metadata file. */
  addFacts(facts: readonly MetadataFact[], rowHasName: boolean): void;
  /** Resolves when everything added so far is kept; await it now and then, so that memory stays bounded. */
  flush(): Promise<void>;
}

export interface ImportRecords {
  /**
   * Takes a file that was the last import of a source as imported once more, without its rows: what a source says
   * changes only by its imports, so it changes nothing but the history, and with `dryRun` not even that. Null for any
   * other file, and for one with metadata in rows of their own, which another file may have changed. Throws refused() when another import changed the catalogue meanwhile.
   */
  importAgain(
    file: Pick<ImportedDat, 'fileName' | 'sha256'>,
    options: Pick<DatOptions, 'dryRun'>,
    actor: Actor,
  ): Promise<{ dat: ImportedDat; outcome: ImportOutcome } | null>;
  /**
   * Runs `fill`, which stages the rows of one DAT, then applies them: whole or not at all. No other writer waits longer
   * for it than the changes of releases that were there before take. Rows of
   * one name and dump become one release, their serials joined with ", " in the file's order. Fields edited by hand
   * keep their values, releases keep their ids.
   *
   * A DAT continues an earlier one of the platform when the header's name is the same and at least half of its rows are
   * that one's by name and dump; else it is another source, whose known dumps join the releases that are there.
   * Throws the signal's reason when it is aborted before the last step; then nothing was imported. Throws refused()
   * when another import changed the catalogue between the planning and the end.
   *
   * A dry run may run beside any other import, also of this process: it neither sees nor touches what that one has
   * written so far. Imports that are no dry runs come one after the other, which the caller sees to.
   */
  importDat(
    fill: (staging: Staging) => Promise<ImportedDat>,
    options: DatOptions,
    watch: ImportWatch,
    actor: Actor,
  ): Promise<ImportOutcome>;
  /** Newest first. */
  listImports(limit: number, offset: number): Promise<ImportRecord[]>;
  findImport(id: number): Promise<(ImportRecord & { samples: ImportSamples }) | null>;
}

/** One import as it is remembered. */
export interface ImportRecord {
  readonly id: number;
  readonly platform: string;
  /** Id of the source; null for a metadata file. */
  readonly sourceId: number | null;
  readonly source: string;
  readonly system: string | null;
  readonly fileName: string;
  readonly sha256: string;
  readonly version: string;
  readonly importedAt: string;
  readonly importedBy: string;
  readonly counts: ImportCounts;
}

/** Reads DAT files of every known format. Throws `DatRefused` with the line and reason. */
export type DatReader = (
  bytes: AsyncIterable<Uint8Array>,
  sink: DatSink,
) => Promise<{ format: string; sha256: string; size: number }>;

/** A file to be read once: one that was named, or one in a folder or zip that was named. */
export interface ImportFile {
  /** As it was named, for messages. */
  readonly path: string;
  /** Bytes, for progress. */
  readonly size: number;
  /** Small chunks, so that other work gets its turn. Throws `refused`, or what the system says with its code. */
  read(): AsyncIterable<Uint8Array>;
}

/** Finds the DAT files that paths mean: files, folders of them, zips holding them. */
export type DatFinder = (paths: readonly string[]) => Promise<ImportFile[]>;
