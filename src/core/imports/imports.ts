import { createHash } from 'node:crypto';
import { notFound } from '../shared/errors.ts';
import type { Actor } from '../shared/requests/actor.ts';
import { baseName } from './dat-intake.ts';
import { FileReading, type ReadSoFar } from './file-reading.ts';
import type {
  DatFinder,
  DatOptions,
  DatReader,
  FileImport,
  ImportCounts,
  ImportedDat,
  ImportFile,
  ImportOutcome,
  ImportRecord,
  ImportRecords,
  ImportSamples,
} from './ports.ts';
import { type Refusal, refusalOf } from './refusal.ts';

/** The result of importing one file: its counts, or the reason why it was refused. */
export type FileReport =
  | {
      readonly file: string;
      readonly kind: 'dat' | 'metadata';
      readonly platform: string;
      readonly version: string;
      readonly counts: ImportCounts;
      readonly samples: ImportSamples;
    }
  | ({ readonly file: string } & Refusal);

/** A file, folder or zip, with a name to show in messages instead of its path. */
export interface NamedPath {
  readonly path: string;
  readonly name: string;
}

export interface ImportReport {
  readonly dryRun: boolean;
  readonly files: readonly FileReport[];
}

export interface ImportProgress {
  readonly file: string;
  /**
   * 1-based position of the file among all files of this import. `count` is the number of files.
   */
  readonly index: number;
  readonly count: number;
  /** Number of bytes of this file that were read so far. */
  readonly bytesRead: number;
  readonly bytes: number;
  /** Number of bytes of the files before this one, and of all files of this import. */
  readonly bytesBefore: number;
  readonly allBytes: number;
  readonly rows: number;
  /**
   * Progress of writing new releases: `written` of `releases` are written. Writing follows reading,
   * and is reported if there are many new releases. At any other time both are 0.
   */
  readonly written: number;
  readonly releases: number;
}

type Place = Pick<ImportProgress, 'index' | 'count' | 'bytesBefore' | 'allBytes'>;

type FileProgress = Omit<ImportProgress, keyof Place | 'file' | 'bytes'>;

export interface ImportOptions {
  readonly system?: string | undefined;
  readonly source?: string | undefined;
  readonly dryRun?: boolean;
  readonly prune?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
  /** Called with the report of each file. The next file begins when the function has resolved. */
  readonly onFile: (report: FileReport) => void | Promise<void>;
  /**
   * The reports of the first files, if an earlier attempt has imported them. They are not imported
   * again, unless other files are imported now.
   */
  readonly done?: readonly FileReport[];
}

/** Imports DAT files into the catalogue. */
export class Imports {
  readonly #records: ImportRecords;
  readonly #readDat: DatReader;
  readonly #findDats: DatFinder;
  readonly #releasesWithCover: () => Promise<ReadonlySet<number>>;

  constructor(parts: {
    records: ImportRecords;
    readDat: DatReader;
    findDats: DatFinder;
    /** Returns the ids of the releases with a cover. Pruning does not remove them. */
    releasesWithCover: () => Promise<ReadonlySet<number>>;
  }) {
    this.#records = parts.records;
    this.#readDat = parts.readDat;
    this.#findDats = parts.findDats;
    this.#releasesWithCover = parts.releasesWithCover;
  }

  /**
   * Imports files, folders and zips, one file at a time. Each file is imported completely or not at
   * all. A refused file does not stop the import of the others. When `signal` is aborted, the
   * import ends between two chunks and throws the signal's reason. Nothing of the current file is
   * then imported.
   */
  async importPaths(
    paths: readonly (string | NamedPath)[],
    options: ImportOptions,
    actor: Actor,
  ): Promise<ImportReport> {
    const files: ImportFile[] = [];
    const mayBeKnown = isPlain(options) && (await this.#records.listImports(1, 0)).length > 0;
    for (const path of paths) files.push(...(await this.#find(path)));
    const reports = doneOf(files, options.done);
    const readings = new Readings(this.#readDat, this.#records, options.signal);
    const allBytes = files.reduce((sum, { size }) => sum + size, 0);
    let bytesBefore = 0;
    try {
      for (const [index, file] of files.entries()) {
        const place = { index: index + 1, count: files.length, bytesBefore, allBytes, mayBeKnown };
        bytesBefore += file.size;
        if (index < reports.length) continue;
        options.signal.throwIfAborted();
        // The next file may be identical to an earlier import, whose rows need not be parsed.
        // Therefore do not start reading it yet.
        const next = mayBeKnown ? undefined : files[index + 1];
        const report = await this.#importFile({ file, next, readings }, place, options, actor);
        reports.push(report);
        await options.onFile(report);
      }
    } finally {
      await readings.stop();
    }
    return { dryRun: options.dryRun === true, files: reports };
  }

  /**
   * Finds the DAT files of a source. If the source is a `NamedPath`, messages show its name instead
   * of its path, also in the paths of files inside a folder or zip.
   */
  async #find(source: string | NamedPath): Promise<ImportFile[]> {
    if (typeof source === 'string') return this.#findDats([source]);
    const { path, name } = source;
    const found = await this.#findDats([path]);
    return found.map((file) => ({
      size: file.size,
      path: `${name}${file.path.slice(path.length)}`,
      read: () => file.read(),
    }));
  }

  listImports(limit: number, offset: number): Promise<ImportRecord[]> {
    return this.#records.listImports(limit, offset);
  }

  /** Returns an import with its samples. Throws `not found`. */
  async getImport(id: number): Promise<ImportRecord & { samples: ImportSamples }> {
    const found = await this.#records.findImport(id);
    if (found === null) throw notFound();
    return found;
  }

  /**
   * Returns the options for one file. The releases with covers are determined anew for each file,
   * because an import may take long.
   */
  async #datOptions(options: ImportOptions): Promise<DatOptions> {
    return {
      ...(options.system !== undefined && { system: options.system }),
      ...(options.source !== undefined && { source: options.source }),
      ...(options.dryRun && { dryRun: true }),
      ...(options.prune && { prune: { keep: await this.#releasesWithCover() } }),
    };
  }

  async #importFile(
    {
      file,
      next,
      readings,
    }: { file: ImportFile; next: ImportFile | undefined; readings: Readings },
    { mayBeKnown, ...place }: Place & { readonly mayBeKnown: boolean },
    options: ImportOptions,
    actor: Actor,
  ): Promise<FileReport> {
    const { signal, onProgress } = options;
    let dat: ImportedDat | undefined;
    const reportProgress = (done: FileProgress) =>
      onProgress({ file: file.path, ...place, bytes: file.size, ...done });
    const onWritten = (written: number, releases: number) =>
      reportProgress({ bytesRead: file.size, rows: dat?.rows ?? 0, written, releases });
    try {
      const datOptions = await this.#datOptions(options);
      const again = mayBeKnown ? await this.#importAgain(file, datOptions, signal, actor) : null;
      if (again !== null) {
        reportProgress({ bytesRead: file.size, rows: again.dat.rows, written: 0, releases: 0 });
        return reportOf(file, again.dat, again.outcome);
      }
      const { rows, reading } = readings.of(file);
      const outcome = await rows.run(
        async (stage) => {
          const onStaged = (soFar: ReadSoFar) =>
            reportProgress({ ...soFar, written: 0, releases: 0 });
          const read = await reading.stageAll(stage, onStaged);
          if (next !== undefined) readings.begin(next);
          dat = read;
          return read;
        },
        datOptions,
        { signal, onWritten },
        actor,
      );
      return reportOf(file, dat as ImportedDat, outcome);
    } catch (error) {
      signal.throwIfAborted();
      return { file: file.path, ...refusalOf(file.path, error) };
    }
  }

  /**
   * Imports a file that equals the last import of its source, without parsing it. Returns null for
   * any other file; the caller must then read that file a second time. Reading a file twice is
   * cheap compared to importing its rows.
   */
  async #importAgain(file: ImportFile, options: DatOptions, signal: AbortSignal, actor: Actor) {
    const hash = createHash('sha256');
    for await (const chunk of file.read()) {
      signal.throwIfAborted();
      hash.update(chunk);
    }
    const known = { fileName: baseName(file.path), sha256: hash.digest('hex') };
    return this.#records.importAgain(known, options, actor);
  }
}

/**
 * Returns the reports of the first files that an earlier attempt has imported. Returns none if the
 * earlier attempt had other files.
 */
function doneOf(files: readonly ImportFile[], done: readonly FileReport[] = []): FileReport[] {
  return done.every(({ file }, at) => files[at]?.path === file) ? [...done] : [];
}

/**
 * Returns true if a file that equals the last import of its source may be skipped. It may not be
 * skipped if these options could produce another result.
 */
function isPlain({ system, source, prune }: ImportOptions): boolean {
  return system === undefined && source === undefined && !prune;
}

function reportOf(
  { path }: ImportFile,
  { kind, header }: ImportedDat,
  outcome: ImportOutcome,
): FileReport {
  return { file: path, kind, platform: header.name, version: header.version, ...outcome };
}

/**
 * Manages the one file that is being read: the file that is being imported, or already the next
 * file.
 */
class Readings {
  readonly #readDat: DatReader;
  readonly #records: Pick<ImportRecords, 'newImport'>;
  readonly #signal: AbortSignal;
  #current: ReadFile | null = null;

  constructor(readDat: DatReader, records: Pick<ImportRecords, 'newImport'>, signal: AbortSignal) {
    this.#readDat = readDat;
    this.#records = records;
    this.#signal = signal;
  }

  /** Returns the reading of this file, and starts it if necessary. */
  of(file: ImportFile): ReadFile {
    return this.#current?.file === file ? this.#current : this.begin(file);
  }

  /** Starts reading a file, and stops reading the previous one. */
  begin(file: ImportFile): ReadFile {
    void this.stop();
    const rows = this.#records.newImport();
    const reading = new FileReading(file, this.#readDat, rows, this.#signal);
    this.#current = { file, rows, reading };
    return this.#current;
  }

  async stop(): Promise<void> {
    await this.#current?.reading.stop();
  }
}

/** A file that is being read, and the import that gets its rows. */
interface ReadFile {
  readonly file: ImportFile;
  readonly rows: FileImport;
  readonly reading: FileReading;
}
