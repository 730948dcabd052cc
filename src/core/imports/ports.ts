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
  /**
   * A metadata file fills `meta` of existing and future releases; it creates no releases itself.
   */
  readonly kind: 'dat' | 'metadata';
  /** Whether it states metadata in separate rows, which apply to all releases of the platform. */
  readonly hasFacts: boolean;
  /** Number of rows in the file. */
  readonly rows: number;
  /**
   * Refused rows: their count, how many of them had a text over its limit, and the first few with
   * line and reason.
   */
  readonly refusedRows: {
    readonly count: number;
    readonly tooLong: number;
    readonly samples: readonly string[];
  };
}

/** Options for importing one file. */
export interface DatOptions {
  /** System to use instead of the one derived from the header. */
  readonly system?: string;
  /** Name of the DAT's source, instead of the one derived from its rows. */
  readonly source?: string;
  /** Reports what the import would do, and changes nothing. */
  readonly dryRun?: boolean;
  /**
   * Removes releases that no source lists any more, that were never edited and that the library
   * lacks. Releases in `keep` stay, because they have a cover.
   */
  readonly prune?: { readonly keep: ReadonlySet<number> };
}

export interface ImportCounts {
  /** Number of rows in the file. */
  readonly rows: number;
  /** Distinct (name, dump) pairs: the releases that the file describes. */
  readonly releases: number;
  readonly new: number;
  /**
   * Subset of the releases new to this source: another source of the platform already has the dump.
   */
  readonly joined: number;
  /** Known releases in which something differs. */
  readonly changed: number;
  /** Subset of `changed`: those with a new name. */
  readonly renamed: number;
  readonly unchanged: number;
  /** Known from an earlier version of the file but no longer in it; they are kept. */
  readonly gone: number;
  /** Removed because `prune` was requested. */
  readonly pruned: number;
  /** Releases whose metadata changed. */
  readonly filled: number;
  /** Fields that differ in the file but kept their value, because they were edited by hand. */
  readonly protected: number;
  /** Refused rows. */
  readonly refusedRows: number;
  /**
   * Subset of `refusedRows`: rows with a text over its limit. Releases they named earlier do not
   * count as gone.
   */
  readonly tooLongRows: number;
}

/** The first few names of each kind, for display. */
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

/** Reports the progress of an import, and allows stopping it. */
export interface ImportWatch {
  readonly signal: AbortSignal;
  /** Called after each batch of many new releases: `releases` out of `of` are written. */
  readonly onWritten: (releases: number, of: number) => void;
}

export interface ImportOutcome {
  readonly counts: ImportCounts;
  readonly samples: ImportSamples;
}

/** The rows of a DAT, stored outside the catalogue and its write lock until they are applied. */
export interface Staging {
  /** Stages a row; rows keep their order. */
  add(row: StagedRow): void;
  /** Notes a refused row, so that releases with its name or dump do not count as gone. */
  addRefused(row: StagedRow): void;
  /**
   * Stages metadata. Metadata from rows with a name counts only if the file turns out to be a
   * metadata file.
   */
  addFacts(facts: readonly MetadataFact[], rowHasName: boolean): void;
  /**
   * Resolves when everything added so far is stored. Await it now and then, so that memory stays
   * bounded.
   */
  flush(): Promise<void>;
}

export interface ImportRecords {
  /**
   * Records another import of a file that was its source's last import, without reading its rows. A
   * source's data changes only by its imports, so nothing but the history changes, and with
   * `dryRun` not even that. Returns null for any other file, and for one with metadata in separate
   * rows, which another file may have changed. Throws refused() when another import changed the
   * catalogue meanwhile.
   */
  importAgain(
    file: Pick<ImportedDat, 'fileName' | 'sha256'>,
    options: Pick<DatOptions, 'dryRun'>,
    actor: Actor,
  ): Promise<{ dat: ImportedDat; outcome: ImportOutcome } | null>;
  /**
   * Runs `fill`, which stages the rows of one DAT, then applies all of them or none. Other writers
   * wait at most for as long as the changes to existing releases take. Rows with the same name and
   * dump become one release, their serials joined with ", " in the file's order. Fields edited by
   * hand keep their values, and releases keep their ids.
   *
   * A DAT continues an earlier one of the platform under two conditions. The header's name must be
   * the same, and at least half of its rows must match that DAT's by name and dump. Otherwise it is
   * another source, and its known dumps join the existing releases. Throws the signal's reason when
   * aborted before the last step; then nothing was imported. Throws refused() when another import
   * changed the catalogue between the planning and the end.
   *
   * A dry run may run concurrently with any other import, also in this process: it neither sees nor
   * touches what that one has written so far. The caller must run all other imports one at a time.
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

/** The record of one import. */
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

/** A file to be read once: a given file, or one in a given folder or zip. */
export interface ImportFile {
  /** Its path as given by the caller, for messages. */
  readonly path: string;
  /** Size in bytes, for progress. */
  readonly size: number;
  /**
   * Yields small chunks, so that other work gets its turn. Throws `refused`, or a system error with
   * its code.
   */
  read(): AsyncIterable<Uint8Array>;
}

/** Finds the DAT files at the given paths: files, folders of DATs, and zips that contain them. */
export type DatFinder = (paths: readonly string[]) => Promise<ImportFile[]>;
