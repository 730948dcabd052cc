import type { Actor } from '../shared/actor.ts';
import { CatalogError, refused } from '../shared/errors.ts';
import { type DatHeader, DatRefused, type DatRow } from './dat.ts';
import { dumpOf } from './dump.ts';
import { systemOfHeader } from './platform.ts';
import type { DatReader, ImportCounts, ImportFile, ImportRecords, StagedRow } from './ports.ts';
import { regionOf } from './region.ts';

/** What became of one file: its counts, or why it was refused. */
export type FileReport =
  | {
      readonly file: string;
      readonly platform: string;
      readonly system: string;
      readonly version: string;
      readonly counts: ImportCounts;
    }
  | { readonly file: string; readonly refused: string };

export interface ImportReport {
  readonly files: readonly FileReport[];
}

export interface ImportProgress {
  readonly file: string;
  /** Of the call: which file, from 1, of how many. */
  readonly index: number;
  readonly count: number;
  /** Of this file. */
  readonly bytesRead: number;
  readonly bytes: number;
  readonly rows: number;
}

/** Takes DAT files into the catalogue. */
export class Imports {
  readonly #records: ImportRecords;
  readonly #readDat: DatReader;

  constructor(parts: { records: ImportRecords; readDat: DatReader }) {
    this.#records = parts.records;
    this.#readDat = parts.readDat;
  }

  /**
   * Imports files one after the other, each whole or not at all; a refused one does not keep the others out. Ends early,
   * between chunks, when `signal` is aborted: throws the signal's reason, and the file in hand leaves nothing.
   */
  async importFiles(
    files: readonly ImportFile[],
    options: {
      /** Overrides what the header says. */
      system?: string | undefined;
      signal: AbortSignal;
      onProgress: (progress: ImportProgress) => void;
      onFile: (report: FileReport) => void;
    },
    actor: Actor,
  ): Promise<ImportReport> {
    const reports: FileReport[] = [];
    for (const [index, file] of files.entries()) {
      const report = await this.#importFile(file, index, files.length, options, actor);
      reports.push(report);
      options.onFile(report);
    }
    return { files: reports };
  }

  async #importFile(
    file: ImportFile,
    index: number,
    count: number,
    options: Parameters<Imports['importFiles']>[1],
    actor: Actor,
  ): Promise<FileReport> {
    let dat: { header: DatHeader; system: string } | undefined;
    let rows = 0;
    try {
      const counts = await this.#records.importDat(async (staging) => {
        const sink = {
          header(header: DatHeader) {
            dat = { header, system: options.system ?? systemOfHeader(header.name) };
          },
          row(row: DatRow) {
            rows += 1;
            staging.add(stagedRow(row));
          },
        };
        const onChunk = async (bytesRead: number) => {
          options.signal.throwIfAborted();
          await staging.flush();
          options.onProgress({
            file: file.path,
            index: index + 1,
            count,
            bytesRead,
            bytes: file.size,
            rows,
          });
        };
        const { sha256 } = await this.#readDat(watched(file.read(), onChunk), sink);
        if (dat === undefined) throw new DatRefused(1, 'it has no header');
        return { fileName: baseName(file.path), sha256, ...dat };
      }, actor);
      const { header, system } = dat ?? fail();
      return { file: file.path, platform: header.name, system, version: header.version, counts };
    } catch (error) {
      return { file: file.path, refused: reasonFor(file.path, error) };
    }
  }
}

function stagedRow(row: DatRow): StagedRow {
  return {
    line: row.line,
    name: row.name,
    description: row.description,
    region: regionOf(row),
    serial: row.serial || serialsOfRoms(row),
    dump: dumpOf(row.roms),
    roms: row.roms,
  };
}

/** No-Intro states the serial of a game on its ROMs. */
function serialsOfRoms(row: DatRow): string {
  return [...new Set(row.roms.map((rom) => rom.serial).filter(Boolean))].join(', ');
}

async function* watched(
  bytes: AsyncIterable<Uint8Array>,
  onChunk: (bytesRead: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let bytesRead = 0;
  for await (const chunk of bytes) {
    bytesRead += chunk.byteLength;
    yield chunk;
    await onChunk(bytesRead);
  }
}

/** `FILE:LINE: reason` for a file that was refused; what is no fault of the file is thrown again. */
function reasonFor(path: string, error: unknown): string {
  if (error instanceof DatRefused) return `${path}:${error.line}: ${error.reason}`;
  if (error instanceof CatalogError && error.kind === 'refused') return `${path}: ${error.message}`;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'EISDIR') return `${path}: it is a folder, name the DAT files in it`;
  if (code === 'ENOENT') return `${path}: there is no such file`;
  if (code === 'EACCES') return `${path}: it may not be read (permission denied)`;
  throw error;
}

function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

function fail(): never {
  throw refused('the file has no header');
}
