import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { BackupPart } from '../../core/backups/backup-parts.ts';
import { databaseName } from '../../core/backups/manifest.ts';
import type {
  DatabaseCopies,
  DatabaseCopy,
  DatabaseCopyWatch,
  RecordedFile,
} from '../../core/backups/ports.ts';
import { refused } from '../../core/shared/errors.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { openDatabaseReadOnly, sealDatabaseCopy } from '../engine/open.ts';
import type { Tables } from '../tables.ts';

const rowsAtOnce = 1_000;

/** Copies the database for backups, and reads the records of the files to back up. */
export class SqlDatabaseCopies implements DatabaseCopies {
  readonly #engine: Engine;

  constructor(parts: { engine: Engine }) {
    this.#engine = parts.engine;
  }

  async copy(
    to: string,
    { signal }: DatabaseCopyWatch,
    whileLocked?: () => Promise<void>,
  ): Promise<DatabaseCopy> {
    await this.#engine.copy(to, { signal, whileLocked });
    try {
      const version = await checkCopy(to, this.#engine.name);
      const { size } = await stat(to);
      return new DatabaseFileCopy(to, version, size);
    } catch (error) {
      await rm(to, { force: true });
      throw error;
    }
  }

  seal(copy: string): Promise<void> {
    return sealDatabaseCopy(copy);
  }
}

/**
 * Checks that a file is a complete database that this program can open. Returns the schema version.
 * Otherwise throws refused(); the message calls the file `name`.
 */
export async function checkCopy(file: string, name: string): Promise<number> {
  const database = await openDatabaseReadOnly(file);
  try {
    const { version, knownVersion } = database;
    if (version === null || version === 0)
      throw refused(`${name} does not contain a database of Catalog`);
    if (version > knownVersion) {
      throw refused(
        `${name} is of version ${version}, this program knows up to version ${knownVersion}: use a newer catalog`,
      );
    }
    await database.checkIntegrity().catch((error: unknown) => {
      throw refused(`the database in ${name} is damaged: use an earlier backup`, error);
    });
    return version;
  } finally {
    await database.close();
  }
}

class DatabaseFileCopy implements DatabaseCopy {
  readonly name = databaseName;
  readonly version: number;
  readonly size: number;
  readonly #file: string;

  constructor(file: string, version: number, size: number) {
    this.version = version;
    this.#file = file;
    this.size = size;
  }

  async *files(parts: readonly BackupPart[]): AsyncGenerator<RecordedFile> {
    const database = await openDatabaseReadOnly(this.#file);
    try {
      for (const part of parts) yield* recordedFiles(database.read, part);
    } finally {
      await database.close();
    }
  }

  stream(): AsyncIterable<Uint8Array> {
    return createReadStream(this.#file, { highWaterMark: 256 * 1024 });
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}

/** Yields the records of the files that belong to one part of a backup. */
export async function* recordedFiles(
  read: Database<Tables>,
  part: BackupPart,
): AsyncGenerator<RecordedFile> {
  for (let after = ''; ; ) {
    const rows = await read
      .selectFrom('stored_file')
      .selectAll()
      .where('area', '=', part)
      .where('name', '>', after)
      .orderBy('name')
      .limit(rowsAtOnce)
      .execute();
    for (const { name, size, mtime_ns, sha256 } of rows) {
      yield { part, name, size, mtimeNs: BigInt(mtime_ns), sha256 };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    after = last.name;
  }
}
