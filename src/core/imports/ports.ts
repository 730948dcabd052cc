import type { Actor } from '../shared/requests/actor.ts';
import type { DatHeader, DatSink } from './dat.ts';
import type { MetadataFact } from './metadata.ts';
import type { StagedRow } from './staged-row.ts';

/** The file that was imported, with its header. */
export interface ImportedDat {
  readonly fileName: string;
  /** SHA-256 of the file, lower-case hexadecimal. */
  readonly sha256: string;
  readonly header: DatHeader;
  /**
   * A DAT creates releases. A metadata file only fills the metadata of existing and later releases.
   */
  readonly kind: 'dat' | 'metadata';
  /**
   * True if the file has rows with metadata only. Such rows may apply to any release of the
   * platform.
   */
  readonly hasFacts: boolean;
  /** Number of rows in the file. */
  readonly rows: number;
  /**
   * The refused rows of the file:
   * - `count`: number of refused rows;
   * - `tooLong`: number of refused rows with a text over its limit;
   * - `samples`: the first few refused rows, each with its line and reason.
   */
  readonly refusedRows: {
    readonly count: number;
    readonly tooLong: number;
    readonly samples: readonly string[];
  };
}

/** Options for importing one file. */
export interface DatOptions {
  /** The system to use; if missing, the system is derived from the header. */
  readonly system?: string;
  /** The name of the source; if missing, the name is derived from the rows. */
  readonly source?: string;
  /** True to report the changes that the import would make, without making them. */
  readonly dryRun?: boolean;
  /**
   * If set, removes the releases that no source lists any more, that were never edited, and that
   * have no file in the library. Releases in `keep` are not removed, because they have a cover.
   */
  readonly prune?: { readonly keep: ReadonlySet<number> };
}

export interface ImportCounts {
  /** Number of rows in the file. */
  readonly rows: number;
  /**
   * Number of releases that the file describes: the distinct pairs of name and dump in its rows.
   */
  readonly releases: number;
  readonly new: number;
  /**
   * Number of releases that are new to this source, but have a dump that another source of the
   * platform already has. `new` does not include them.
   */
  readonly joined: number;
  /** Number of known releases with at least one difference. */
  readonly changed: number;
  /** Number of changed releases that have a new name. */
  readonly renamed: number;
  readonly unchanged: number;
  /**
   * Number of releases that an earlier version of the file listed and this version does not. They
   * are not removed.
   */
  readonly gone: number;
  /** Number of releases that were removed because of `prune`. */
  readonly pruned: number;
  /** Number of releases whose metadata changed. */
  readonly filled: number;
  /** Number of fields that keep a user's edit although the file has another value. */
  readonly protected: number;
  /** Number of rows that were refused. */
  readonly refusedRows: number;
  /**
   * Number of refused rows that have a text over its limit. Known releases that such rows describe
   * are not counted as gone.
   */
  readonly tooLongRows: number;
}

/** The first few names or rows of each kind, for display. */
export interface ImportSamples {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  /** Each sample is "old name -> new name". */
  readonly renamed: readonly string[];
  readonly joined: readonly string[];
  readonly gone: readonly string[];
  readonly pruned: readonly string[];
  readonly protected: readonly string[];
  /** Each sample is "line N: reason". */
  readonly refusedRows: readonly string[];
}

/** Receives the progress of an import, and can abort the import. */
export interface ImportWatch {
  readonly signal: AbortSignal;
  /**
   * Called after each batch of new releases is written, if there are many: `releases` of `of` are
   * written.
   */
  readonly onWritten: (releases: number, of: number) => void;
}

export interface ImportOutcome {
  readonly counts: ImportCounts;
  readonly samples: ImportSamples;
}

/** Receives the rows of a file, in their order. */
export interface RowSink {
  add(row: StagedRow): void;
  /**
   * Records a refused row. Known releases with the row's name or dump are then not counted as gone.
   */
  addRefused(row: StagedRow): void;
  /**
   * Adds metadata. If `rowHasName` is set, the metadata is used only if the file turns out to be a
   * metadata file.
   */
  addFacts(facts: readonly MetadataFact[], rowHasName: boolean): void;
}

/**
 * The import of one file. Rows may be added before the import runs. Added rows wait in memory until
 * they are staged. Until they are applied, staged rows are stored outside the catalogue, so that
 * staging does not block other writers.
 */
export interface FileImport extends RowSink {
  /** Number of rows and facts that were added and are not staged yet. */
  readonly waiting: number;
  /**
   * Stages the rows that were added and those that `fill` adds, then applies all rows or none.
   * `fill` must call `stage` regularly, so that rows do not accumulate in memory.
   *
   * Other writers wait at most while the changes to existing releases are written. Rows with the
   * same name and dump become one release; their serials are joined with ", " in the order of the
   * file. Fields that users edited keep their values. Known releases keep their ids.
   *
   * A DAT is a new version of an earlier DAT of the platform if two conditions are met:
   * - The headers have the same name.
   * - At least half of the rows match the earlier DAT's rows by name and dump.
   * Otherwise the DAT is another source. Its dumps that are already known then join the existing
   * releases.
   *
   * Throws the signal's reason when aborted before the last step; nothing is imported then. Throws
   * refused() when another import changed the catalogue while this import was being planned and
   * applied.
   *
   * A dry run may run at the same time as any other import, in this process or another. It neither
   * sees nor changes unfinished work of that import. Imports that are not dry runs must not run
   * concurrently; the caller must ensure that.
   */
  run(
    fill: (stage: StageRows) => Promise<ImportedDat>,
    options: DatOptions,
    watch: ImportWatch,
    actor: Actor,
  ): Promise<ImportOutcome>;
}

/** Number of rows and facts that are staged together. */
export const rowsPerStage = 1_000;

/**
 * Begins to stage the oldest `rowsPerStage` waiting rows. Resolves when the rows of the call before
 * the previous one are stored, and throws the error of that call.
 */
export type StageRows = () => Promise<void>;

export interface ImportRecords {
  /**
   * Imports a file that equals the last import of its source, without reading its rows. Only
   * imports change the data of a source. Therefore this import only adds an entry to the history;
   * with `dryRun` it adds nothing.
   *
   * Returns null for any other file. Also returns null for a file with rows that contain only
   * metadata, because another file may have changed that metadata. Throws refused() when another
   * import changed the catalogue meanwhile.
   */
  importAgain(
    file: Pick<ImportedDat, 'fileName' | 'sha256'>,
    options: Pick<DatOptions, 'dryRun'>,
    actor: Actor,
  ): Promise<{ dat: ImportedDat; outcome: ImportOutcome } | null>;
  /** Returns a new import of one file. */
  newImport(): FileImport;
  /** Returns imports, newest first. */
  listImports(limit: number, offset: number): Promise<ImportRecord[]>;
  findImport(id: number): Promise<(ImportRecord & { samples: ImportSamples }) | null>;
}

/** The record of one import. */
export interface ImportRecord {
  readonly id: number;
  readonly platform: string;
  /** Id of the source; null when a metadata file was imported. */
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

/**
 * Reads a DAT file in any known format, and passes its header and rows to `sink`. Throws
 * `DatRefused` with the line and reason.
 */
export type DatReader = (
  bytes: AsyncIterable<Uint8Array>,
  sink: DatSink,
) => Promise<{ format: string; sha256: string; size: number }>;

/** A file to import: one of the requested files, or a file in a requested folder or zip. */
export interface ImportFile {
  /** Path of the file as the caller named it, for messages. */
  readonly path: string;
  /** Size in bytes, for progress. */
  readonly size: number;
  /**
   * Yields the bytes of the file in small chunks, so that other work can run in between. Throws
   * refused(), or a system error with its code.
   */
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Finds the DAT files of these paths. A path may be a file, a folder that contains DATs, or a zip
 * that contains DATs.
 */
export type DatFinder = (paths: readonly string[]) => Promise<ImportFile[]>;
