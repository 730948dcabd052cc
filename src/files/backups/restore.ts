import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupWatch, RestoreReport } from '../../core/backups/backup-report.ts';
import { databaseName, rowsName } from '../../core/backups/manifest.ts';
import { refused } from '../../core/shared/errors.ts';
import { isSystemError, systemReason } from '../../core/shared/system-reason.ts';
import { isGone } from '../disk-error.ts';
import { syncFolder } from '../durable.ts';
import { changed } from './refusals.ts';
import { unpackDatabase } from './unpack-database.ts';
import { isTar, unpackTar } from './unpack-tar.ts';
import { named } from './write-aside.ts';

/** Where a restore works until everything is there. A folder with it and without a database is no catalogue. */
const restoreFolder = '.catalog-restore';

/** What lies in a folder that counts as empty: what mkfs makes. */
const nothing: readonly string[] = ['lost+found'];

export interface RestoreOptions extends BackupWatch {
  /** Throws refused() for a database with which this program cannot start, calling it `name`. */
  readonly checkDatabase: (file: string, name: string) => Promise<unknown>;
  /** Has a database whose files come out of the backup forget where they lay in an object store. */
  readonly forgetObjects: (file: string) => Promise<void>;
  /** Makes a new database of the rows of a backup, which it calls `name`. */
  readonly makeDatabase: (rows: string, to: string, name: string) => Promise<void>;
  /** How many bytes of a file are the copy of a database; null when it is none. Throws refused() for a changed one. */
  readonly sizeOfDatabase: (file: string) => Promise<number | null>;
}

/**
 * Makes the data folder `data`, which is empty or not there, of a backup. All of it is unpacked and checked below
 * `restoreFolder` and safe on disk before any of it gets its place, the database last: so there is a whole catalogue or
 * none. Throws refused() for a folder that is not empty, for a backup that is cut or changed, and for a newer one; then,
 * and when the signal is aborted, the folder is as it was.
 */
export async function restoreBackup(
  file: string,
  data: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const handle = await openBackup(file);
  try {
    const made = await named(data, () => prepare(data));
    const staging = join(data, restoreFolder);
    try {
      await named(data, () => mkdir(staging, { mode: 0o700 }));
      const report = await unpack(handle, file, staging, options);
      await makeDatabase(staging, file, options);
      const database = join(staging, databaseName);
      await options.checkDatabase(database, file);
      if (report.covers !== null) await options.forgetObjects(database);
      options.signal.throwIfAborted();
      await named(data, () => giveNames(staging, data));
      return report;
    } catch (error) {
      await rm(staging, { recursive: true, force: true });
      if (made !== undefined) await rmdir(data).catch(() => undefined);
      throw error;
    }
  } finally {
    await handle.close();
  }
}

async function openBackup(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw refused(`cannot read ${file}: ${systemReason(error)}`, error);
  }
  throw refused(`${file} is no file`);
}

/** Makes the folder, or empties it of a restore that was broken off; returns the first folder that was made. */
async function prepare(data: string): Promise<string | undefined> {
  const made = await mkdir(data, { recursive: true, mode: 0o700 });
  const left = (await readdir(data)).filter((name) => !nothing.includes(name));
  if (left.some((name) => name !== restoreFolder)) {
    throw refused(`${data} is not empty: a restore needs a new or empty data folder`);
  }
  await rm(join(data, restoreFolder), { recursive: true, force: true });
  return made;
}

async function unpack(
  handle: FileHandle,
  file: string,
  staging: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const head = Buffer.alloc(512);
  const { bytesRead } = await handle.read(head, 0, 512, 0);
  if (bytesRead < 512) throw changed(file);
  const size = await options.sizeOfDatabase(file);
  if (size !== null) {
    const bytes = await unpackDatabase(
      { handle, file, size },
      join(staging, databaseName),
      options,
    );
    return { madeAt: null, covers: null, archives: null, bytes };
  }
  if (isTar(head)) return unpackTar(handle, file, staging, options);
  throw refused(`${file} is no backup of Catalog, or its beginning was changed`);
}

/** Where the backup holds rows instead of it. */
async function makeDatabase(staging: string, file: string, options: RestoreOptions): Promise<void> {
  const rows = join(staging, rowsName);
  if (!(await readdir(staging)).includes(rowsName)) return;
  await options.makeDatabase(rows, join(staging, databaseName), file);
  await rm(rows);
}

async function giveNames(staging: string, data: string): Promise<void> {
  await syncFolder(staging);
  for (const name of ['covers', 'store']) {
    try {
      await rename(join(staging, name), join(data, name));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  await syncFolder(data);
  await rename(join(staging, databaseName), join(data, databaseName));
  await syncFolder(data);
  await rm(staging, { recursive: true, force: true });
}

/** Throws refused() for a data folder in which a restore did not come to its end; sweeps up behind one that did. */
export async function refuseUnfinishedRestore(data: string): Promise<void> {
  const names = await readdir(data).catch((): string[] => []);
  if (!names.includes(restoreFolder)) return;
  if (names.includes(databaseName)) {
    return rm(join(data, restoreFolder), { recursive: true, force: true });
  }
  throw refused(
    `a restore into ${data} did not come to its end: empty the folder and restore again`,
  );
}
