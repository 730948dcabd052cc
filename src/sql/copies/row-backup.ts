import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { BackupPart } from '../../core/backups/backup-parts.ts';
import { rowsName } from '../../core/backups/manifest.ts';
import type {
  DatabaseCopies,
  DatabaseCopy,
  DatabaseCopyWatch,
  RecordedFile,
} from '../../core/backups/ports.ts';
import { insufficientStorage, refused } from '../../core/shared/errors.ts';
import { isSystemError, systemReason } from '../../core/shared/system-reason.ts';
import type { Engine } from '../engine/engine.ts';
import { sourceOf } from '../rows/read-tables.ts';
import type { TableReader } from '../rows/row-ports.ts';
import { rowTables, storedFiles } from '../rows/row-tables.ts';
import { writeRows } from '../rows/rows-file.ts';

/** Copies a database to a file of rows. A database of any engine can be filled from this file. */
export class PortableCopies implements DatabaseCopies {
  readonly #engine: Engine;

  constructor({ engine }: { engine: Engine }) {
    this.#engine = engine;
  }

  async copy(
    to: string,
    watch: DatabaseCopyWatch,
    whileLocked?: () => Promise<void>,
  ): Promise<DatabaseCopy> {
    try {
      const copied = await this.#engine.snapshot(async ({ reader, version }) => {
        await writeRows(to, await sourceOf(reader, rowTables, version), watch);
        return { version, files: await readRecords(reader) };
      }, whileLocked);
      const { size } = await stat(to);
      return new RowsFileCopy({ ...copied, file: to, size });
    } catch (error) {
      // If the file already existed, it is not the file of this copy and must not be removed.
      if (!isThere(error)) await rm(to, { force: true });
      throw toCopyError(error, to);
    }
  }

  async seal(): Promise<never> {
    throw new Error('rows go into a backup with its own sum');
  }
}

const isThere = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EEXIST';

function toCopyError(error: unknown, file: string): unknown {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return insufficientStorage(error);
  if (!isSystemError(error)) return error;
  return refused(`cannot write to ${file}: ${systemReason(error)}`, error);
}

/**
 * Returns the records of all files. The records fit into memory, because there are fewer files than
 * releases. A backup keeps the paths of all files in memory anyway.
 */
async function readRecords(reader: TableReader): Promise<RecordedFile[]> {
  const columns = await reader.columns(storedFiles);
  const files: RecordedFile[] = [];
  for await (const rows of reader.rows(storedFiles, columns)) {
    for (const row of rows) {
      const value = (name: string) => row[columns.findIndex((column) => column.name === name)];
      files.push({
        part: value('area') as BackupPart,
        name: String(value('name')),
        size: Number(value('size')),
        mtimeNs: BigInt(value('mtime_ns') as bigint | number),
        sha256: String(value('sha256')),
      });
    }
  }
  return files;
}

class RowsFileCopy implements DatabaseCopy {
  readonly name = rowsName;
  readonly version: number;
  readonly size: number;
  readonly #file: string;
  readonly #files: readonly RecordedFile[];

  constructor(parts: {
    version: number;
    size: number;
    file: string;
    files: readonly RecordedFile[];
  }) {
    this.version = parts.version;
    this.size = parts.size;
    this.#file = parts.file;
    this.#files = parts.files;
  }

  async *files(parts: readonly BackupPart[]): AsyncGenerator<RecordedFile> {
    yield* this.#files.filter(({ part }) => parts.includes(part));
  }

  stream(): AsyncIterable<Uint8Array> {
    return createReadStream(this.#file, { highWaterMark: 256 * 1024 });
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}
